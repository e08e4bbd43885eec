"""What is read: pages, Markdown, tables and figures, made from results alone, without any statistic."""
