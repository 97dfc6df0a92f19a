/** The page at `/`: what the emulator holds, requested every second. Texts of objects are never read as HTML. */

const periodMs = 1000;
const timeoutMs = 5000;
const copiedMs = 1500;
/** How many rows each group shows at first, and how many more after a click. */
const limits = { failures: 3, contents: 20, livestreams: 20, requests: 40 };
const moreRows = 1000;
const posterWidth = 320;

const byId = (id) => document.getElementById(id);

const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
};

/** Draws one frame, and lets its player go: a browser allows a page only few of them. */
const drawFrame = (canvas) => {
    const { source, at } = canvas.dataset;
    const video = element("video", { src: source, muted: true, preload: "auto" });
    video.addEventListener("loadedmetadata", () => {
        video.currentTime = at;
    });
    const draw = () => {
        canvas.width = posterWidth;
        canvas.height = (posterWidth * video.videoHeight) / video.videoWidth;
        const context = canvas.getContext("2d");
        context.drawImage(video, 0, 0, canvas.width, canvas.height);
        // The frame may come after the event. Where there is one, nothing is transparent.
        if (context.getImageData(0, 0, 1, 1).data[3] === 0) return requestAnimationFrame(draw);
        video.removeAttribute("src");
        video.load();
    };
    video.addEventListener("seeked", draw);
};

/** Only posters that can be seen are drawn. */
const posters = new IntersectionObserver((entries) => {
    for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
        posters.unobserve(target);
        drawFrame(target);
    }
});

const player = byId("player");

const play = ({ title, source, playedPart }) => {
    player.querySelector("p").textContent = title;
    player.querySelector("video").src = source + playedPart;
    player.showModal();
};

const poster = (object) => {
    const { title, source, posterAt, noPoster } = object;
    if (source === null) return element("div", { className: "poster", textContent: noPoster });
    const canvas = element("canvas", {});
    Object.assign(canvas.dataset, { source, at: posterAt });
    posters.observe(canvas);
    return element("button", { className: "poster", ariaLabel: `Play ${title}`, onclick: () => play(object) }, canvas);
};

/** Under the name of another machine, or without permission, a page has no clipboard: then what is selected is copied. */
const copyText = async (code) => {
    try {
        await navigator.clipboard.writeText(code.textContent);
    } catch {
        getSelection().selectAllChildren(code);
        document.execCommand("copy");
    }
};

/** A text on one line, and a button that copies all of it. */
const copyable = (label, textContent) => {
    const code = element("code", { textContent });
    const button = element("button", { textContent: label });
    button.addEventListener("click", async () => {
        await copyText(code);
        button.textContent = "Copied";
        setTimeout(() => button.replaceChildren(label), copiedMs);
    });
    return element("p", { className: "copyable" }, code, button);
};

const paragraph = (className, textContent) => element("p", { className, textContent, dir: "auto" });

const objectRow = (object) => {
    const { id, title, status, facts, reason, description } = object;
    const { tags, metadata, failedSources, resolution, createdOn, playbackUrl } = object;
    const state = element("b", { textContent: status });
    state.dataset.status = status;
    const summary = element(
        "summary",
        {},
        element("h3", { textContent: title, dir: "auto" }),
        element("p", { className: "quiet" }, state, ...facts.map((fact) => ` · ${fact}`)),
        ...(reason === null ? [] : [paragraph("reason", reason)]),
        ...(description === "" ? [] : [paragraph("description", description)]),
    );
    const pairs = [
        ...(playbackUrl === null ? [] : [["Playback", copyable("Copy URL", playbackUrl)]]),
        ...failedSources.map((url) => ["Source", url]),
        ["Created", new Date(createdOn).toLocaleString()],
        ...(resolution === "" ? [] : [["Resolution", resolution]]),
        ...(tags.length === 0 ? [] : [["Tags", tags.join(", ")]]),
        ...metadata.map(({ key, value }) => [key, value]),
    ];
    const list = pairs.flatMap(([name, value]) => [
        element("dt", { textContent: name }),
        element("dd", { dir: "auto" }, value),
    ]);
    const details = element("details", {}, summary);
    return element("li", {}, poster(object), details, copyable("Copy ID", id), element("dl", {}, ...list));
};

const requestRow = ({ at, request, faults, status, ms }) => {
    const cells = [new Date(at).toTimeString().slice(0, 8), request, status ?? "", ms ?? ""];
    const row = element("tr", {}, ...cells.map((text) => element("td", { textContent: text })));
    if (faults !== "") row.children[1].append(paragraph("reason", `Fault: ${faults}`));
    row.children[2].classList.toggle("reason", status >= 400);
    return row;
};

/** A row that says what it said before stays the element that it is, and is moved only where the order demands it. */
const showGroup = (name, { total, shown }) => {
    const section = byId(name);
    const list = section.querySelector("ul, tbody");
    const objects = shown.slice(0, limits[name]);
    const rows = new Map([...list.children].map((row) => [row.dataset.id, row]));
    const ids = new Set(objects.map(({ id }) => id));
    for (const [id, row] of rows) if (!ids.has(id)) row.remove();
    for (const [index, object] of objects.entries()) {
        const version = JSON.stringify(object);
        let row = rows.get(object.id);
        if (row?.dataset.version !== version) {
            const made = name === "requests" ? requestRow(object) : objectRow(object);
            Object.assign(made.dataset, { id: object.id, version });
            if (row?.querySelector("[open]")) made.querySelector("details").open = true;
            row?.replaceWith(made);
            row = made;
        }
        if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
    }
    section.hidden = total === 0 && name !== "requests";
    section.querySelector("h2 span").textContent = total;
    const more = section.querySelector(".more");
    more.hidden = total === objects.length;
    more.textContent = `Show ${Math.min(total - objects.length, moreRows)} more`;
    more.onclick = () => {
        limits[name] += moreRows;
        refresh();
    };
};

const load = async () => {
    const limit = Math.max(...Object.values(limits));
    const response = await fetch(`/_emulator/overview?limit=${limit}`, {
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

const refresh = async () => {
    try {
        const { summary, isEmpty, groups } = await load();
        for (const [name, group] of Object.entries(groups)) showGroup(name, group);
        byId("start").hidden = !isEmpty;
        say("summary", summary);
        say("problem", "");
    } catch (error) {
        say("problem", error.message);
    }
};

/** In the navigation, for those who see it and for those who hear it. */
const markView = () => {
    for (const link of document.querySelectorAll("nav a")) link.ariaCurrent = link.href === location.href && "page";
};
addEventListener("hashchange", markView);
markView();
player.querySelector("button").addEventListener("click", () => player.close());
player.addEventListener("close", () => player.querySelector("video").removeAttribute("src"));
for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
for (;;) {
    await refresh();
    await new Promise((resolve) => setTimeout(resolve, periodMs));
}
