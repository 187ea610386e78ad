"""What several families of algorithms share."""
