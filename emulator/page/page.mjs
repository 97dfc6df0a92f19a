/** The page at `/`: what the emulator holds, requested every second. Texts of objects are never read as HTML. */

const periodMs = 1000;
const timeoutMs = 5000;
/** Of each group. Each card may hold a player, so their number is limited. */
const mostCards = 100;
const copiedMs = 1500;

const byId = (id) => document.getElementById(id);
const filters = byId("filters");

const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
};

const screen = ({ id, title, status, isPlayable, isSigned }) => {
    if (!isPlayable) {
        const text = status === "Ready" && isSigned ? "Signed playback only" : status;
        return element("div", { className: "screen", textContent: text });
    }
    const base = `/playback/${encodeURIComponent(id)}`;
    const video = element("video", {
        ...{ className: "screen", controls: true, preload: "none" },
        ...{ src: `${base}/source.mp4`, poster: `${base}/thumbnail.svg` },
    });
    video.setAttribute("aria-label", title);
    return video;
};

const state = ({ status, details, createdOn }) => {
    const time = new Date(createdOn);
    const shown = element("span", { textContent: status });
    shown.dataset.status = status;
    const text = time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    const parts = [shown, ...(details ? [details] : []), element("time", { dateTime: time.toISOString() }, text)];
    return element("p", { className: "state" }, ...parts.map((part) => element("span", {}, part)));
};

/** Under the name of another machine, or without permission, a page has no clipboard: then what is selected is copied. */
const copy = async (code) => {
    try {
        await navigator.clipboard.writeText(code.textContent);
    } catch {
        getSelection().selectAllChildren(code);
        document.execCommand("copy");
    }
};

const copyable = (name, text) => {
    const code = element("code", { textContent: text });
    const button = element("button", { type: "button", className: "copy", textContent: "Copy" });
    button.setAttribute("aria-label", `Copy ${name}`);
    button.addEventListener("click", async () => {
        await copy(code);
        button.textContent = "Copied";
        setTimeout(() => {
            button.textContent = "Copy";
        }, copiedMs);
    });
    return element("div", { className: "row" }, element("span", { textContent: name }), code, button);
};

const facts = ({ id, kind, status, stack, name, playbackUrl, isPlayable, environmentId }) =>
    element(
        "div",
        { className: "facts" },
        ...(stack ? [copyable("Stack", stack), copyable("Resource", name)] : []),
        copyable(kind === "content" ? "ID" : "UUID", id),
        ...(isPlayable || status === "Idle" ? [copyable("Playback", playbackUrl)] : []),
        ...(environmentId === 1 ? [] : [copyable("Environment", `${environmentId}`)]),
    );

const tagList = ({ tags }) =>
    element("ul", { className: "tags" }, ...tags.map((tag) => element("li", { textContent: tag, dir: "auto" })));

const metadataList = ({ metadata }) =>
    element(
        "details",
        // The marker alone says what the rows above say.
        { open: metadata.some(({ key }) => key !== "managed_by") },
        element("summary", { textContent: `Metadata (${metadata.length})` }),
        element(
            "dl",
            {},
            ...metadata.flatMap(({ key, value }) => [
                element("dt", { textContent: key }),
                element("dd", { textContent: value }),
            ]),
        ),
    );

/** The parts of a card. `from` is all that a part shows: it is made anew only when that has changed, so a player plays on. */
const parts = [
    {
        from: ({ status, title, isPlayable, isSigned }) =>
            status === "Failed" ? null : [isPlayable || status, title, isPlayable, isSigned],
        show: screen,
    },
    { from: ({ title }) => title, show: ({ title }) => element("h3", { dir: "auto", textContent: title }) },
    { from: ({ status, details, createdOn }) => [status, details, createdOn], show: state },
    {
        from: ({ reason }) => reason,
        show: ({ reason }) => element("p", { className: "reason", textContent: reason, dir: "auto" }),
    },
    { from: ({ tags }) => (tags.length > 0 ? tags : null), show: tagList },
    {
        from: ({ status, stack, name, playbackUrl, isPlayable }) => [status, stack, name, playbackUrl, isPlayable],
        show: facts,
    },
    { from: ({ metadata }) => (metadata.length > 0 ? metadata : null), show: metadataList },
];

const newCard = (id) => {
    const card = element("li", { className: "card" }, ...parts.map(() => element("div", { hidden: true })));
    card.dataset.id = id;
    return card;
};

const fill = (card, object) => {
    for (const [index, { from, show }] of parts.entries()) {
        const place = card.children[index];
        const value = from(object);
        const version = JSON.stringify(value);
        if (place.dataset.version === version) continue;
        place.dataset.version = version;
        place.hidden = value === null;
        place.replaceChildren(...(value === null ? [] : [show(object)]));
    }
};

/** Cards stay the elements that they are, and are moved only where the order demands it: focus and players survive. */
const showGroup = (name, { matching, shown }) => {
    const section = byId(name);
    const list = section.querySelector(".cards");
    const cards = new Map([...list.children].map((card) => [card.dataset.id, card]));
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, card] of cards) if (!ids.has(id)) card.remove();
    for (const [index, object] of shown.entries()) {
        const card = cards.get(object.id) ?? newCard(object.id);
        fill(card, object);
        if (list.children[index] !== card) list.insertBefore(card, list.children[index] ?? null);
    }
    section.hidden = matching === 0;
    section.querySelector(".count").textContent = `${matching}`;
    const more = section.querySelector(".more");
    more.hidden = matching === shown.length;
    more.textContent = `And ${matching - shown.length} older ones: search for them above.`;
};

/** What is chosen stays among the choices, even when the last such object is gone. */
const offer = (select, values) => {
    const wanted = [...new Set([...values, ...(select.value ? [select.value] : [])])].sort();
    const offered = [...select.options].slice(1).map(({ value }) => value);
    if (JSON.stringify(wanted) === JSON.stringify(offered)) return;
    const chosen = select.value;
    select.replaceChildren(
        select.options[0],
        ...wanted.map((value) => element("option", { value, textContent: value })),
    );
    select.value = chosen;
};

const load = async (query) => {
    const response = await fetch(`/_emulator/overview?${query}`, {
        signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => {
        throw new Error("The emulator does not answer. The page shows its last known state and keeps trying.");
    });
    const body = await response.json();
    if (!response.ok) throw new Error(`The emulator refuses to show its objects: ${body.message}.`);
    return body;
};

/** Sets a text only when it changes: screen readers read out what is set. */
const say = (id, text) => {
    if (byId(id).textContent !== text) byId(id).textContent = text;
};

const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;

const show = ({ totals, statuses, stacks, ...groups }) => {
    for (const [name, group] of Object.entries(groups)) showGroup(name, group);
    const total = totals.contents + totals.livestreams;
    byId("start").hidden = total > 0;
    filters.hidden = total === 0;
    byId("none").hidden = total === 0 || Object.values(groups).some(({ matching }) => matching > 0);
    offer(filters.elements.status, statuses);
    offer(filters.elements.stack, stacks);
    filters.elements.stack.hidden = stacks.length === 0;
    say(
        "summary",
        `${count(totals.contents, "content")}, ${totals.ready} Ready; ${count(totals.livestreams, "livestream")}`,
    );
};

let latest = 0;
const refresh = async () => {
    const number = ++latest;
    const query = new URLSearchParams([...new FormData(filters), ["limit", mostCards]]);
    try {
        const overview = await load(query);
        // Another filter was chosen meanwhile.
        if (number !== latest) return;
        show(overview);
        say("problem", "");
    } catch (error) {
        say("problem", error.message);
    }
    const hasProblem = byId("problem").textContent !== "";
    byId("problem").hidden = !hasProblem;
    document.body.classList.toggle("stale", hasProblem);
};

filters.addEventListener("input", refresh);
filters.addEventListener("submit", (event) => event.preventDefault());
for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
for (;;) {
    await refresh();
    await new Promise((resolve) => setTimeout(resolve, periodMs));
}
