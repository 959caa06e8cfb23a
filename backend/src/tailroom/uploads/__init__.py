"""Result files of other tools: stored unchanged, and read into runs that are judged like measured ones."""
