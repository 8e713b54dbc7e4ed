// The only script of a page. The server writes the version of the modules into it, so that browsers can cache them.
{
  const script = document.currentScript;
  if (script instanceof HTMLScriptElement) {
    const parts = import(new URL('widget-files/VERSION/start.js', script.src).href);
    parts.then(({ start }) => start(script));
    // The page calls it when its user signs out, even before the widget is loaded.
    Object.assign(window, { Patchbay: { logout: () => parts.then(({ logout }) => logout()) } });
  }
}
