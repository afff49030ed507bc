// Runs the page from the files in it. A module is loaded from an address of its own, so that its imports
// are replaced by the addresses of what they name; no module may import one that imports it.
{
  const text = (name) => document.querySelector(`script[data-file="${name}"]`).textContent;
  const addresses = new Map();
  const addressOf = (name) => {
    if (!addresses.has(name)) {
      const code = text(name).replaceAll(/ from "\.\/([a-z-]+\.js)";/g, (_, other) => ` from "${addressOf(other)}";`);
      addresses.set(name, URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    }
    return addresses.get(name);
  };
  // An old browser lacks something: it is said where the page says all else.
  import(addressOf("app.js")).catch((fault) => {
    const status = document.getElementById("status");
    status.textContent ||= `This browser cannot run the page: ${fault.message}`;
  });
}
