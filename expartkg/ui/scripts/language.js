// gradio's page says that it is English, whatever is on it.
document.documentElement.lang = element.querySelector('[lang]').lang;
