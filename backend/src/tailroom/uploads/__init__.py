"""Result files of other tools: kept as they came, and stored as runs like measured ones."""
