"""What a client is told of the server as a whole: of the tools that it has, and of no other."""

from morenashi.server.clients import Client


def instructions_for(client: Client) -> str:
    """The instructions of a client's toolsets."""
    sentences = []
    if "manual" in client.toolsets:
        sentences.append(
            'Exhaustive search over manuals. Start with manual_find, few words or a "quoted phrase" at a time; common '
            "words alone leave much unexamined, name~truncated|length asks for them near each other (160 columns). "
            "Follow its next_actions. manual_read with its trace_id reads many "
            "hits at once: the best sections, of the others the lines that match."
        )
    elif "vault" in client.toolsets:
        sentences.append(
            "Exhaustive search over notes. Start with vault_find (name~truncated|length asks for words near each "
            "other); follow its next_actions. vault_read with its trace_id reads many of the hits at once."
        )
    if client.toolsets & {"manual", "vault"}:
        sentences.append(
            "Its completeness says whether everything was examined: 'absent' means it is not there, 'unknown' means "
            "not looked everywhere, other_language_files that there is more to ask in the other language, unread_files "
            "that there are files in formats that it cannot read (.pdf, .rst)."
        )
    if "memory" in client.toolsets:
        kept = "" if client.read_only else ", pce_memory_upsert for what was decided"
        sentences.append(f"Memory: pce_memory_activate before a task{kept}.")
    return " ".join(sentences)
