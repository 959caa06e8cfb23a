"""Load generators for HTTP and gRPC: hey, oha, ghz, vegeta, bombardier and k6."""
