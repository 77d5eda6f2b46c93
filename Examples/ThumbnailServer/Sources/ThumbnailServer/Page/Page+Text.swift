extension Page {
  static let html = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>ThumbnailServer</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/page.css">
    <header>
      <h1>ThumbnailServer</h1>
      <p>This server makes thumbnails of images from the sources that its operator allows.</p>
    </header>
    <main>
    FORM
    <section>
      <h2>Options of <code>/thumb</code></h2>
      <table>
        <tr><th>Option<th>Values<th>Meaning
        <tr><td><code>url</code><td>http, https, s3, local<td>The source. Encode it as a part of a URL.
        <tr><td><code>w</code>, <code>h</code><td>pixels<td>The size. One of them is enough.
        <tr><td><code>dpr</code><td>0.1 to 8<td>Multiplies the size, for dense displays.
        <tr><td><code>fit</code><td>contain, cover, fill<td>Within the box, cropped to it, or extended to it by a color.
        <tr><td><code>gravity</code><td>center, top, bottom-right …, attention<td>The part that a crop keeps. <code>attention</code> finds it.
        <tr><td><code>focus</code><td>0.3,0.7<td>A point that a crop keeps.
        <tr><td><code>crop</code><td>w,h or x,y,w,h<td>Crops the original first.
        <tr><td><code>enlarge</code><td>0, 1<td>Whether smaller images become larger.
        <tr><td><code>rotate</code><td>90, 180, 270<td>Rotates clockwise.
        <tr><td><code>flip</code><td>h, v, hv<td>Mirrors.
        <tr><td><code>bg</code><td>ff8800<td>The color behind transparent parts and beside the image.
        <tr><td><code>blur</code>, <code>sharpen</code><td>pixels<td>The radius.
        <tr><td><code>pixelate</code><td>1 to 1000<td>The side of the squares.
        <tr><td><code>trim</code><td>0 to 1<td>Cuts off edges of one color. The number is the tolerance.
        <tr><td><code>pad</code><td>10 or 10,20,10,20<td>Adds edges, as CSS does.
        <tr><td><code>wm</code><td>0 to 1<td>The opacity of the watermark.
        <tr><td><code>format</code><td>webp, avif, jpeg, png<td>By default, one that the client accepts.
        <tr><td><code>q</code><td>1 to 100<td>The quality.
        <tr><td><code>preset</code><td>names<td>Options that the operator has named.
        <tr><td><code>v</code><td>any text<td>Another text loads the image again.
        <tr><td><code>expires</code><td>seconds since 1970<td>The end of a URL.
      </table>
      <p><code>/info?url=…</code> returns size, format, orientation, dominant color and ThumbHash as JSON.</p>
    </section>
    </main>
    </html>
    """

  static let form = """
    <section class="try">
      <form id="form">
        <label class="wide">Image URL
          <input name="url" type="text" inputmode="url" autocomplete="off" spellcheck="false" placeholder="https://…" required></label>
        <label>Width <input name="w" type="number" min="1" value="480"></label>
        <label>Height <input name="h" type="number" min="1"></label>
        <label>Fit <select name="fit"><option value="">contain<option>cover<option>fill</select></label>
        <label>Gravity <select name="gravity"><option value="">center<option>attention<option>top<option>bottom<option>left<option>right
          <option>top-left<option>top-right<option>bottom-left<option>bottom-right</select></label>
        <label>Density <select name="dpr"><option value="">1<option>2<option>3</select></label>
        <label>Format <select name="format"><option value="">automatic<option>webp<option>avif<option>jpeg<option>png</select></label>
        <label>Quality <input name="q" type="number" min="1" max="100" placeholder="default"></label>
        <label>Rotation <select name="rotate"><option value="">0<option>90<option>180<option>270</select></label>
        <label>Flip <select name="flip"><option value="">none<option value="h">horizontal<option value="v">vertical<option value="hv">both</select></label>
        <label>Background <input name="bg" type="text" maxlength="8" pattern="[0-9a-fA-F]{6}([0-9a-fA-F]{2})?" placeholder="rrggbb"></label>
        <label>Blur <input name="blur" type="number" min="0.1" max="100" step="any"></label>
        <label>Sharpen <input name="sharpen" type="number" min="0.1" max="10" step="any"></label>
        <button>Show</button>
      </form>
      <div id="result" aria-live="polite">
        <p><a id="address" hidden></a> <button id="copy" type="button" hidden>Copy</button></p>
        <p id="status">Enter the URL of an image from an allowed host.</p>
        <img id="image" alt="The thumbnail" hidden>
      </div>
      <script src="/page.js"></script>
    </section>
    """

  static let signing = """
    <section>
      <h2>Signed URLs</h2>
      <p>This server only serves signed URLs. The signature is the HMAC-SHA-256 of the salt and the path with its query, in base64url:</p>
      <pre><code>path="/thumb?url=https%3A%2F%2Fexample.com%2Fa.jpg&amp;w=320"
    sig=$({ printf %s "$salt" | xxd -r -p; printf %s "$path"; } |
      openssl dgst -sha256 -mac HMAC -macopt hexkey:$key -binary | basenc --base64url | tr -d =)
    echo "$path&amp;sig=$sig"</code></pre>
    </section>
    """

  static let css = """
    :root { color-scheme: light dark; --line: light-dark(#d8dce2, #363b44); --soft: light-dark(#f4f5f7, #20242b);
      --accent: light-dark(#0b57d0, #8ab4f8); }
    * { box-sizing: border-box; }
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem;
      background: light-dark(#fff, #15181d); color: light-dark(#1b1f24, #e4e7ec); }
    h1 { font-size: 1.75rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; }
    header p { margin: .25rem 0 1.5rem; }
    form { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); padding: 1rem;
      background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; align-items: end; }
    label { display: grid; gap: .25rem; font-size: .875rem; } .wide { grid-column: 1 / -1; }
    input, select, button { font: inherit; width: 100%; min-height: 2.5rem; padding: .35rem .6rem; border-radius: .375rem;
      border: 1px solid var(--line); background: light-dark(#fff, #15181d); color: inherit; }
    button { cursor: pointer; background: var(--accent); border-color: transparent; color: light-dark(#fff, #10131a); font-weight: 600; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    a { color: var(--accent); overflow-wrap: anywhere; }
    code { font: .9em ui-monospace, monospace; } pre { overflow-x: auto; background: var(--soft); padding: 1rem; border-radius: .5rem; }
    #copy { width: auto; min-height: 2rem; padding: 0 .75rem; } #image { max-width: 100%; height: auto; border: 1px solid var(--line); }
    table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0;
      border-bottom: 1px solid var(--line); } th { font-size: .875rem; }
    @media (max-width: 40rem) { table, tbody, tr, td { display: block; } th { display: none; } td { border: 0; padding: 0; }
      tr { padding: .6rem 0; border-bottom: 1px solid var(--line); } td:nth-child(2) { font-size: .875rem; opacity: .8; } }
    """

  static let script = """
    "use strict";
    const find = (id) => document.getElementById(id);
    const [form, address, copy, status, image] = ["form", "address", "copy", "status", "image"].map(find);

    async function show() {
      const query = new URLSearchParams();
      for (const [name, value] of new FormData(form)) if (value.trim() !== "") query.append(name, value.trim());
      // The server reads a plus sign as itself, and not as a space.
      const text = query.toString().replaceAll("+", "%20");
      const path = "/thumb?" + text;
      history.replaceState(null, "", "#" + text);
      address.href = address.textContent = location.origin + path;
      address.hidden = copy.hidden = false;
      status.textContent = "Loading …";
      let response, bytes;
      try {
        // As for an image: scripts accept any format.
        response = await fetch(path, { headers: { Accept: "image/avif,image/webp,*/*;q=0.8" } });
        bytes = await response.blob();
      } catch {
        status.textContent = "The server does not answer.";
        return;
      }
      if (address.textContent !== location.origin + path) return;
      if (!bytes.type.startsWith("image/")) {
        image.hidden = true;
        status.textContent = `Refused with status ${response.status}: ${(await bytes.text()).trim()}`;
        return;
      }
      image.onload = () => {
        const size = (bytes.size / 1024).toFixed(1);
        status.textContent = `${image.naturalWidth} × ${image.naturalHeight} pixels, ${bytes.type}, ${size} KiB`;
      };
      URL.revokeObjectURL(image.src);
      image.src = URL.createObjectURL(bytes);
      image.hidden = false;
    }

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      show();
    });
    // The address of the page keeps the form.
    const kept = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of kept) if (form.elements[name]) form.elements[name].value = value;
    if (kept.get("url")) show();
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(address.href);
      copy.textContent = "Copied";
    });
    """
}
