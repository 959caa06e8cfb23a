"""Removal of text that collectors, terminals, chats, editors and web pages add to output."""
