// The one script of a page. The server writes the version of the modules in, which browsers may then keep.
{
  const script = document.currentScript;
  if (script instanceof HTMLScriptElement) {
    import(new URL('widget-files/VERSION/start.js', script.src).href).then(({ start }) => start(script));
  }
}
