/** The page at `/`: what the emulator holds, requested every second. Texts of objects are never read as HTML. */

const periodMs = 1000;
const timeoutMs = 5000;
/** Newest first. Each row may hold a player, so their number is limited. */
const mostRows = 100;

const byId = (id) => document.getElementById(id);

const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
};

const playbackOf = (id) => `/playback/${encodeURIComponent(id)}`;

/** Whether an object can be played: the same rules as on the server. */
const isPlayable = ({ status, playbackPolicy }) =>
    (status === "Ready" && playbackPolicy.includes("public")) || status === "Active";

const measures = ({ status, durationMs, resolution }) =>
    status === "Ready" ? `${durationMs / 1000} s, ${resolution}` : "";

const whyNotPlayable = ({ status, playbackPolicy }) =>
    status === "Ready" && !playbackPolicy.includes("public") ? "signed playback only" : "";

const player = (id, { title, status }) => {
    const video = element("video", { controls: true, preload: "none", src: `${playbackOf(id)}/source.mp4` });
    if (status === "Ready") video.poster = `${playbackOf(id)}/thumbnail.svg`;
    video.setAttribute("aria-label", title);
    return video;
};

const statusText = ({ status, failureReason }) => {
    const text = failureReason ? `${status}: ${failureReason}` : status;
    const shown = element("span", { textContent: text });
    shown.dataset.status = status;
    return shown;
};

const timeText = ({ createdOn }) => {
    const time = new Date(createdOn);
    const text = time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
    // Date above time: neither breaks.
    const [date, ...rest] = text.split(/, (?=[^,]*$)/);
    return element("time", { dateTime: time.toISOString() }, date, element("br"), rest.join(", "));
};

/** The cells of a row. `from` is all that a cell shows: it is made anew only when that has changed, so a player plays on. */
const cells = (id) => [
    {
        tag: "th",
        from: ({ title }) => title,
        show: ({ title }) => element("span", { dir: "auto", textContent: title }),
    },
    { name: "status", from: ({ status, failureReason }) => [status, failureReason], show: statusText },
    {
        from: (object) => [isPlayable(object), object.title, measures(object), whyNotPlayable(object)],
        show: (object) =>
            element(
                "div",
                {},
                ...(isPlayable(object) ? [player(id, object)] : []),
                element("div", { className: "note", textContent: measures(object) }),
                element("div", { className: "note", textContent: whyNotPlayable(object) }),
            ),
    },
    { from: ({ createdOn }) => createdOn, show: timeText },
    { name: "id", from: () => id, show: () => element("code", { textContent: id }) },
    {
        name: "environment",
        from: ({ environmentId }) => environmentId,
        show: ({ environmentId }) => `${environmentId}`,
    },
];

const newRow = (id) => {
    const row = element("tr", {}, ...cells(id).map(({ tag = "td", name = "" }) => element(tag, { className: name })));
    row.dataset.id = id;
    row.firstChild.scope = "row";
    return row;
};

const fill = (row, object) => {
    for (const [index, { from, show }] of cells(row.dataset.id).entries()) {
        const cell = row.children[index];
        const version = JSON.stringify(from(object));
        if (cell.dataset.version === version) continue;
        cell.dataset.version = version;
        cell.replaceChildren(show(object));
    }
};

/** Rows stay the elements that they are, and are moved only where the order demands it: focus and players survive. */
const showTable = (name, { total, newest }, idOf) => {
    const shown = newest.toReversed();
    const body = byId(name).tBodies[0];
    const rows = new Map([...body.rows].map((row) => [row.dataset.id, row]));
    const ids = new Set(shown.map(idOf));
    for (const [id, row] of rows) if (!ids.has(id)) row.remove();
    for (const [index, object] of shown.entries()) {
        const id = idOf(object);
        const row = rows.get(id) ?? newRow(id);
        fill(row, object);
        if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
    }
    byId(name).hidden = total === 0;
    byId(`${name}-empty`).hidden = total > 0;
    const hidden = total - shown.length;
    byId(`${name}-more`).hidden = hidden === 0;
    byId(`${name}-more`).textContent = `And ${hidden} older ones; /_emulator/${name} lists them all.`;
};

const load = async () => {
    const response = await fetch(`/_emulator/overview?limit=${mostRows}`, {
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

const refresh = async () => {
    try {
        const { contents, livestreams } = await load();
        showTable("contents", contents, ({ contentId }) => contentId);
        showTable("livestreams", livestreams, ({ streamUUID }) => streamUUID);
        say(
            "summary",
            `${count(contents.total, "content")}, ${contents.ready} Ready; ${count(livestreams.total, "livestream")}`,
        );
        say("problem", "");
    } catch (error) {
        say("problem", error.message);
    }
    const hasProblem = byId("problem").textContent !== "";
    byId("problem").hidden = !hasProblem;
    document.body.classList.toggle("stale", hasProblem);
};

for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
for (;;) {
    await refresh();
    await new Promise((resolve) => setTimeout(resolve, periodMs));
}
