"use strict";

// What is on the screen is loaded, what comes next is prepared by the server, what has left is cancelled.

const page = crypto.randomUUID();
const grid = document.querySelector("#grid");
const step = 40;
let photos = [];
let mode = "fill";
let size = "";

const bytes = (count) =>
  count < 1e6 ? `${Math.round(count / 1e3)} kB` : `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB`;
const pixels = (width, height) => `${width} × ${height}`;

// ---- tiles

class Tile {
  constructor(photo, index) {
    this.photo = photo;
    this.index = index;
    this.element = document.createElement("button");
    this.element.className = "tile";
    this.element.innerHTML = '<div class="frame"><img alt="" decoding="async"></div><div class="name"><span></span><span></span></div>';
    this.image = this.element.querySelector("img");
    const [name, shape] = this.element.querySelectorAll(".name span");
    name.textContent = photo.name;
    name.title = photo.name;
    shape.textContent = photo.width ? pixels(photo.width, photo.height) : "";
    this.element.tile = this;
    this.element.addEventListener("click", () => detail.open(this));
  }

  // With the version, so that the browser does not show what another photograph had at this index.
  get address() { return `photos/${this.index}-${this.photo.version}`; }
  get path() { return `${this.address}/${mode}/${size}`; }

  async load() {
    if (this.loading || this.shown === this.path) return;
    const path = this.path;
    const loading = (this.loading = new AbortController());
    this.element.classList.add("waiting");
    try {
      const answer = await fetch(path, { signal: loading.signal });
      if (!answer.ok) return this.fail(await answer.text(), path);
      const blob = await answer.blob();
      if (loading.signal.aborted) return;
      const isFirst = !this.image.src;
      this.show(URL.createObjectURL(blob), isFirst);
      this.shown = path;
    } catch (error) {
      if (error.name !== "AbortError") this.fail(String(error), null);
    } finally {
      if (this.loading === loading) {
        this.loading = null;
        this.element.classList.remove("waiting");
      }
    }
  }

  cancel() {
    this.loading?.abort();
    this.loading = null;
    this.element.classList.remove("waiting");
  }

  show(url, isFirst) {
    this.element.querySelector(".failure")?.remove();
    const old = this.image.src;
    this.image.onload = () => {
      if (old) URL.revokeObjectURL(old);
      this.image.classList.add("here");
    };
    this.image.src = url;
    if (!isFirst) this.image.classList.add("here");
  }

  fail(message, path) {
    this.shown = path;
    this.failed = message.trim();
    this.element.querySelector(".failure")?.remove();
    this.element.querySelector(".frame").append(failure(this.failed));
  }
}

function failure(message) {
  const box = document.createElement("div");
  box.className = "failure";
  box.append(document.querySelector("#failure").content.cloneNode(true));
  box.querySelector("span").textContent = "This picture cannot be shown.";
  box.title = message;
  return box;
}

// ---- coming and going

const visible = new Set();
const ahead = new Set();

const onScreen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) {
      visible.add(target.tile);
      target.tile.load();
    } else {
      visible.delete(target.tile);
      target.tile.cancel();
    }
  }
  prepare();
});

// A screen more, below and above.
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) ahead[isIntersecting ? "add" : "delete"](target.tile);
  prepare();
}, { rootMargin: "100% 0px" });

let prepared = "";
let preparing;

function prepare() {
  clearTimeout(preparing);
  preparing = setTimeout(() => {
    const next = [...ahead].filter((tile) => !visible.has(tile) && tile.shown !== tile.path).map((tile) => tile.index);
    const query = `page=${page}&mode=${mode}&size=${size}&photos=${next.join(",")}`;
    if (query === prepared) return;
    prepared = query;
    fetch(`ahead?${query}`, { cache: "no-store" }).catch(() => { prepared = ""; });
  }, 80);
}

// ---- modes and sizes

function measure() {
  const frame = grid.querySelector(".frame")?.getBoundingClientRect();
  if (!frame) return;
  const round = (side) => Math.min(1600, Math.max(step, Math.ceil(side * devicePixelRatio / step) * step));
  const now = `${round(frame.width)}x${round(frame.height)}`;
  if (now === size) return;
  size = now;
  reload();
}

function reload() {
  for (const tile of visible) {
    tile.cancel();
    tile.load();
  }
  prepare();
}

for (const button of document.querySelectorAll("[data-mode]")) {
  button.addEventListener("click", () => {
    mode = button.dataset.mode;
    grid.className = mode;
    for (const other of document.querySelectorAll("[data-mode]")) other.setAttribute("aria-pressed", other === button);
    reload();
  });
}

// ---- one picture: resized at once, then the original

const detail = {
  dialog: document.querySelector("#detail"),

  open(tile) {
    const part = (name) => this.dialog.querySelector(name);
    const { photo } = tile;
    this.loading?.abort();
    const [low, high, stage, progress, lost] = [".low", ".high", ".stage", "progress", ".failure"].map(part);
    const loading = (this.loading = new AbortController());
    part("h2").textContent = photo.name;
    low.src = tile.image.src;
    low.hidden = !tile.image.src;
    high.classList.remove("here");
    high.removeAttribute("src");
    lost.hidden = true;
    progress.value = 0;
    progress.classList.remove("done");
    stage.textContent = "";
    this.dialog.dataset.stage = "waiting";
    this.dialog.showModal();

    const fail = (message) => {
      stage.textContent = message.trim();
      progress.classList.add("done");
      this.dialog.dataset.stage = "failed";
      if (!low.hidden) return;
      lost.replaceWith(failure(message));
    };
    (async () => {
      try {
        const small = await fetch(`${tile.address}/fit/960x720`, { signal: loading.signal });
        if (!small.ok) return fail(await small.text());
        const blob = await small.blob();
        low.src = URL.createObjectURL(blob);
        low.hidden = false;
        await low.decode();
        stage.textContent = `resized ${pixels(low.naturalWidth, low.naturalHeight)} · ${bytes(blob.size)}`;
        this.dialog.dataset.stage = "low";
        await this.original(tile, loading, { high, stage, progress, resized: stage.textContent });
      } catch (error) {
        if (error.name !== "AbortError") fail(String(error));
      }
    })();
  },

  async original(tile, loading, { high, stage, progress, resized }) {
    const answer = await fetch(`${tile.address}/original`, { signal: loading.signal });
    if (!answer.ok) throw new Error(await answer.text());
    const total = Number(answer.headers.get("Content-Length"));
    const pieces = [];
    let count = 0;
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      count += value.length;
      progress.value = total ? count / total : 0;
      stage.textContent = `${resized} → original, ${bytes(count)} of ${bytes(total)}`;
    }
    high.src = URL.createObjectURL(new Blob(pieces, { type: answer.headers.get("Content-Type") }));
    await high.decode();
    if (loading.signal.aborted) return;
    high.classList.add("here");
    progress.classList.add("done");
    stage.textContent = `original ${pixels(high.naturalWidth, high.naturalHeight)} · ${bytes(count)}`;
    this.dialog.dataset.stage = "high";
  },

  close() {
    // It may be open again by the time that the page hears that it was closed.
    if (this.dialog.open) return;
    this.loading?.abort();
    for (const image of this.dialog.querySelectorAll("img")) {
      const isOwn = image.src.startsWith("blob:") && ![...visible].some((tile) => tile.image.src === image.src);
      if (isOwn && !grid.querySelector(`img[src="${image.src}"]`)) URL.revokeObjectURL(image.src);
      image.removeAttribute("src");
    }
  },
};

detail.dialog.addEventListener("close", () => detail.close());
detail.dialog.querySelector(".close").addEventListener("click", () => detail.dialog.close());
detail.dialog.addEventListener("click", (event) => {
  if (event.target === detail.dialog) detail.dialog.close();
});

// ---- counters

function listen() {
  const events = new EventSource(`events?page=${page}`);
  events.onopen = () => {
    prepared = "";
    prepare();
  };
  events.onmessage = ({ data }) => {
    const { numbers, ...status } = JSON.parse(data);
    const all = { ...numbers, ...status };
    for (const cell of document.querySelectorAll("[data-counter]")) {
      const name = cell.dataset.counter;
      const value = all[name];
      cell.textContent = name.toLowerCase().includes("bytes") ? bytes(value) : value.toLocaleString("en");
      if (name === "variantBytes") cell.textContent += ` of ${bytes(all.variantLimit)}`;
    }
  };
}

// ---- begin

grid.className = mode;
fetch("photos.json").then((answer) => answer.json()).then((list) => {
  photos = list.map((photo, index) => new Tile(photo, index));
  grid.append(...photos.map((tile) => tile.element));
  measure();
  for (const { element } of photos) {
    onScreen.observe(element);
    near.observe(element);
  }
  new ResizeObserver(measure).observe(grid);
  listen();
});
