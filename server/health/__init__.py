"""What can be wrong with a workspace: one file a kind of cause; `morenashi doctor` asks them all."""
