# The image runs `morenashi` on the workspace that is mounted at /workspace: as you, who may write there, or without
# `--user` as a user without rights.
#   docker build -t morenashi .
#   docker run --rm -i --user "$(id -u):$(id -g)" --mount type=bind,source="$PWD",target=/workspace morenashi
# docs/installing.md has HTTP, and what the user of the mounted folder has to be.

FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.13-slim
LABEL org.opencontainers.image.title="morenashi" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="https://github.com/morenashi/morenashi" \
      io.modelcontextprotocol.server.name="io.github.morenashi/morenashi"
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir --no-index --find-links /wheels morenashi==0.1.0 \
    && rm -r /wheels \
    && useradd --uid 10001 --create-home --shell /usr/sbin/nologin morenashi \
    && install --directory --owner 10001 --group 10001 /workspace
USER 10001:10001
ENV WORKSPACE_ROOT=/workspace
VOLUME /workspace
WORKDIR /workspace
ENTRYPOINT ["morenashi"]
CMD ["serve", "--standalone"]
