"""The page. The only part of the guide that imports gradio."""
