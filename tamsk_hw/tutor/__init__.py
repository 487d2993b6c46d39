"""The tutor: leads a lesson at a running service, as one reader of its live stream."""
