"""What collectors, terminals, chats, editors and web pages add to output, taken out before it is read."""
