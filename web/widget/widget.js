// The one script of a page. The server writes the version of the modules in, which browsers may then keep.
{
  const script = document.currentScript;
  if (script instanceof HTMLScriptElement) {
    const parts = import(new URL('widget-files/VERSION/start.js', script.src).href);
    parts.then(({ start }) => start(script));
    // A page calls it when its user signs out, be the widget there yet or not.
    Object.assign(window, { Patchbay: { logout: () => parts.then(({ logout }) => logout()) } });
  }
}
