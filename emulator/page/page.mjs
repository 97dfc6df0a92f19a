/** The page at `/`: what the emulator holds, requested every second, and what a dashboard can do to it. Texts of objects are never read as HTML. */

const periodMs = 1000;
const timeoutMs = 5000;
const copiedMs = 1500;
/** How many rows each group shows at first: the browser's search finds these. How many more after a click. */
let limit = 500;
const moreRows = 1000;
/** More than a screen has: these are drawn before the others, so that an answer is there at once. */
const firstRows = 50;
const posterWidth = 160;

const byId = (id) => document.getElementById(id);

const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
};

/** Calls a function where its argument has changed since the last time: what stays the same keeps its focus and what is selected in it. */
const onChange = (act) => {
    let before;
    return (value) => {
        const now = JSON.stringify(value);
        if (now === before) return;
        before = now;
        act(value);
    };
};

/** `2026-11-28 19:02:33`, of this time zone: Sweden writes it so. */
const timeFormat = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "medium" });
const timeOf = (ms) => timeFormat.format(ms);
const numberOf = (number) => number.toLocaleString("en");

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
    byId("played").textContent = title;
    player.querySelector("video").src = source + playedPart;
    player.showModal();
};

const posterOf = (object) => {
    const { title, source, posterAt, noPoster, percent } = object;
    if (percent !== undefined) {
        const progress = element("progress", { max: 100, ariaLabel: `Processing of ${title}` });
        // Without a value, the browser shows that the end is not known.
        if (percent !== null) progress.value = percent;
        return element("div", { className: "poster" }, progress);
    }
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

/** A text, and a button that copies it. */
const copyable = (label, textContent) => {
    const code = element("code", { textContent });
    const button = element("button", { type: "button", textContent: label });
    button.addEventListener("click", async () => {
        await copyText(code);
        button.textContent = "Copied";
        setTimeout(() => button.replaceChildren(label), copiedMs);
    });
    return element("p", { className: "copyable" }, code, button);
};

/** Asks the control endpoint, as the page's own requests do; a refusal is an error with the emulator's words. */
const control = async (path, init = {}) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`/_emulator/${path}`, { signal, ...init }).catch(() => {
        throw new Error("The emulator does not answer. The page shows its last known state and keeps trying.");
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The emulator refuses: ${JSON.parse(text).message}.`);
    return text;
};

const changeDialog = byId("change");

/** Asks for the values of a change in a dialog, which no update of the page touches, and makes it. What is lost by it has another color. */
const ask = (heading, submit, fields, change) => {
    const form = changeDialog.querySelector("form");
    const [button, cancel] = form.querySelectorAll("button");
    const labels = fields.map(([label, field]) => element("label", {}, label, field));
    byId("changed").textContent = heading;
    form.querySelector("div").replaceChildren(...labels);
    form.querySelector("[role=alert]").textContent = "";
    button.textContent = submit;
    button.className = submit === "Save" ? "" : "dangerous";
    cancel.onclick = () => changeDialog.close();
    form.onsubmit = async (event) => {
        event.preventDefault();
        try {
            await change();
            await refresh();
            changeDialog.close();
        } catch (error) {
            form.querySelector("[role=alert]").textContent = error.message;
        }
    };
    changeDialog.showModal();
    // Else the first button has the focus, and Enter deletes.
    if (fields.length === 0) cancel.focus();
};

const patch = (path, body) => {
    const headers = { "content-type": "application/json" };
    return control(path, { method: "PATCH", headers, body: JSON.stringify(body) });
};

const linesOf = (text) =>
    text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);

/** What a dashboard can do to one object. `current` gives it as it is when its button is pressed. */
const actionsOf = (current) => {
    const edit = () => {
        const { path, title, tags } = current();
        const titleField = element("input", { value: title, required: true, dir: "auto" });
        const tagsField = element("textarea", { value: tags.join("\n"), rows: 4, dir: "auto" });
        const fields = [
            ["Title", titleField],
            ["Tags, one on a line", tagsField],
        ];
        ask("Rename or tag", "Save", fields, () =>
            patch(path, { title: titleField.value, tags: linesOf(tagsField.value) }),
        );
    };
    const makeFailed = () => {
        const { path, title } = current();
        const field = element("input", { value: "broken on the emulator's page", dir: "auto" });
        const isContent = path.startsWith("contents/");
        ask(`Break “${title}”`, "Make it Failed", isContent ? [["Reason", field]] : [], () =>
            patch(path, { status: "Failed", ...(isContent ? { reason: field.value } : {}) }),
        );
    };
    const remove = () => {
        const { path, title } = current();
        ask(`Delete “${title}”?`, "Delete", [], () => control(path, { method: "DELETE" }));
    };
    const [first, ...others] = [
        ["Rename or tag…", edit],
        ["Break…", makeFailed],
        ["Delete…", remove],
    ].map(([textContent, onclick]) => element("button", { type: "button", textContent, onclick }));
    return { element: element("p", { className: "actions" }, first, ...others), breaks: others[0] };
};

/** A row's fold: made when it is first unfolded, and kept up to date while it is. */
const foldable = (details, fill) => {
    let latest;
    const update = onChange(fill);
    details.addEventListener("toggle", () => {
        if (details.open) update(latest);
    });
    return (object) => {
        latest = object;
        if (details.open) update(object);
    };
};

const signedNote =
    "No URL here: it plays only with a token, which your server signs with one of the environment's signing keys. The emulator answers 403 with any token.";

const pairsOf = (object) => {
    const { id, path, description, tags, metadata, failedSources, resolution, createdOn } = object;
    const { playbackUrl, isSigned, ingestUrl } = object;
    const playback = isSigned ? signedNote : playbackUrl && copyable("Copy URL", playbackUrl);
    const keyNote = `Hidden: who has it can broadcast. The answer to GET /${path} has it.`;
    return [
        ...(description === "" ? [] : [["Description", description]]),
        ...(playback === null ? [] : [["Playback", playback]]),
        ...(ingestUrl === null
            ? []
            : [
                  ["Ingest", copyable("Copy URL", ingestUrl)],
                  ["Stream key", keyNote],
              ]),
        ["ID", copyable("Copy ID", id)],
        ...failedSources.map((url) => ["Source", url]),
        ["Created", timeOf(createdOn)],
        ...(resolution === "" ? [] : [["Resolution", resolution]]),
        ...(tags.length === 0 ? [] : [["Tags", tags.join(", ")]]),
        ...metadata.map(({ key, value }) => [key, value]),
    ];
};

const objectRow = () => {
    let object;
    const title = element("h3", { dir: "auto" });
    const facts = element("p", { className: "facts", dir: "auto" });
    const code = element("code", {});
    const details = element("details", {}, element("summary", { className: "line" }, title, facts, code));
    let fold;
    let poster = element("div", {});
    const item = element("li", {}, poster, details);
    const showPoster = onChange(() => {
        const made = posterOf(object);
        poster.replaceWith(made);
        poster = made;
    });
    const showFold = foldable(details, (latest) => {
        const entries = pairsOf(latest).flatMap(([name, value]) => [
            element("dt", { textContent: name }),
            element("dd", { dir: "auto" }, value),
        ]);
        if (fold === undefined) {
            fold = { list: element("dl", {}), actions: actionsOf(() => object) };
            details.append(fold.list, fold.actions.element);
        }
        fold.list.replaceChildren(...entries);
        fold.actions.breaks.hidden = latest.status === "Failed";
    });
    const update = onChange(() => {
        const { id, status, reason } = object;
        title.textContent = object.title;
        code.textContent = id;
        const state = element("b", { textContent: status });
        state.dataset.status = status;
        const cause = reason === null ? [] : [" · ", element("span", { className: "bad", textContent: reason })];
        facts.replaceChildren(state, ...cause, ...object.facts.map((fact) => ` · ${fact}`));
        const { source, posterAt, playedPart, noPoster, percent } = object;
        showPoster({ title: object.title, source, posterAt, playedPart, noPoster, percent });
        showFold(object);
    });
    return {
        item,
        update: (latest) => {
            object = latest;
            update(latest);
        },
    };
};

const requestRow = () => {
    const name = element("h3", {});
    const facts = element("p", { className: "facts" });
    const item = element("li", {});
    let showFold = () => {};
    /** Its answer comes later, and with it what there is to unfold. */
    const shape = onChange((unfolds) => {
        const line = element(unfolds ? "summary" : "div", { className: "line" }, name, facts);
        if (!unfolds) return item.replaceChildren(line);
        const list = element("dl", {});
        const details = element("details", {}, line, list);
        showFold = foldable(details, ({ sent, refusal }) => {
            const parts = [sent && ["Sent", sent], refusal && ["Refused", refusal]].filter(Boolean);
            const entries = parts.flatMap(([term, text]) => [
                element("dt", { textContent: term }),
                // A long one scrolls, by the keyboard too.
                element("dd", {}, element("pre", { textContent: text, tabIndex: 0 })),
            ]);
            list.replaceChildren(...entries);
        });
        item.replaceChildren(details);
    });
    const update = onChange((latest) => {
        const { at, request, faults, status, ms, sent, refusal } = latest;
        shape(sent !== "" || refusal !== "");
        name.textContent = request;
        const fault =
            faults === "" ? [] : [" · ", element("span", { className: "bad", textContent: `Fault: ${faults}` })];
        const text = status ?? (ms === null ? "no answer yet" : "no answer");
        const answer = element("b", { className: status >= 400 ? "bad" : "", textContent: text });
        facts.replaceChildren(answer, ms === null ? "" : ` · ${numberOf(ms)} ms`, ` · ${timeOf(at)}`, ...fault);
        showFold(latest);
    });
    return { item, update };
};

/** The rows on the page, by the object's path or the request's number. */
const rows = new Map();

const rowFor = (group, object) => {
    const key = object.path ?? object.id;
    const row = rows.get(key) ?? (group === "requests" ? requestRow() : objectRow());
    rows.set(key, row);
    row.update(object);
    return row.item;
};

/** An object that was shown before keeps its row, which is moved only where the order demands it. */
const showGroup = (name, { total, found, shown }) => {
    const section = byId(name);
    const list = section.querySelector("ul");
    const items = shown.map((object) => rowFor(name, object));
    const wanted = new Set(items);
    for (const item of [...list.children]) if (!wanted.has(item)) item.remove();
    let next = list.firstElementChild;
    for (const item of items) {
        if (item === next) next = next.nextElementSibling;
        else list.insertBefore(item, next);
    }
    section.hidden = found === 0 && name !== "requests";
    const text = found === total ? numberOf(total) : `${numberOf(found)} of ${numberOf(total)}`;
    section.querySelector("h2 span").textContent = text;
    const more = section.querySelector(".more");
    more.hidden = found === shown.length;
    more.textContent = `Show ${numberOf(Math.min(found - shown.length, moreRows))} more`;
};

const showSummary = onChange(({ summary, livestreamsAt }) => {
    const { contents, livestreams } = summary;
    const find = {
        href: `#${livestreamsAt}`,
        textContent: livestreams,
        onclick: () => Object.assign(filter, { value: "" }),
    };
    byId("summary").replaceChildren(contents, "; ", livestreamsAt === null ? livestreams : element("a", find));
});

/** Sets a text only when it changes: screen readers read out what is set. */
const say = (id, text) => {
    if (byId(id).textContent !== text) byId(id).textContent = text;
};

const filter = byId("filter");

const isRequestView = () => location.hash === "#requests";

const showOverview = onChange(([text, words]) => {
    const { summary, livestreamsAt, isEmpty, groups } = JSON.parse(text);
    for (const [name, group] of Object.entries(groups)) showGroup(name, group);
    for (const [key, { item }] of rows) if (!item.isConnected) rows.delete(key);
    const all = Object.values(groups);
    const [found, total] = ["found", "total"].map((key) => all.reduce((sum, group) => sum + group[key], 0));
    byId("start").hidden = !isEmpty;
    showSummary({ summary, livestreamsAt });
    say("found", words === "" ? "" : `${numberOf(found)} of ${numberOf(total)}`);
    const noun = groups.requests ? "request" : "content or livestream";
    say("nothing", found === 0 && total > 0 ? `No ${noun} has all of these words.` : "");
});

/** Of several that overlap, the last one that was asked for is shown. */
let asked = 0;
const refresh = async (rowLimit = limit) => {
    const number = ++asked;
    const query = new URLSearchParams({
        limit: rowLimit,
        filter: filter.value,
        view: isRequestView() ? "requests" : "videos",
    });
    try {
        const text = await control(`overview?${query}`);
        if (number !== asked) return;
        showOverview([text, filter.value.trim()]);
        say("problem", "");
    } catch (error) {
        if (number === asked) say("problem", error.message);
    }
};

/** After what somebody has done, and at the beginning. */
const refreshAtOnce = async () => {
    await refresh(firstRows);
    await refresh();
};

/** Of a view: what it is marked with in the navigation, for those who see it and for those who hear it, and its filter, which is empty. */
const showView = onChange((isRequests) => {
    const [videos, requests] = document.querySelectorAll("nav a");
    videos.ariaCurrent = isRequests ? null : "page";
    requests.ariaCurrent = isRequests ? "page" : null;
    filter.placeholder = isRequests ? "method, path, status, fault" : "title, ID, tag, status, stack, resource";
    filter.value = "";
});
const showPlace = async () => {
    showView(isRequestView());
    await refreshAtOnce();
    // A group that had not been drawn when the browser looked for it.
    if (!isRequestView()) document.querySelector(":target")?.scrollIntoView();
};
addEventListener("hashchange", showPlace);
filter.addEventListener("input", refreshAtOnce);
for (const more of document.querySelectorAll(".more"))
    more.addEventListener("click", () => {
        limit += moreRows;
        refresh();
    });
player.querySelector("button").addEventListener("click", () => player.close());
player.addEventListener("close", () => player.querySelector("video").removeAttribute("src"));
for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
await showPlace();
for (;;) {
    await new Promise((resolve) => setTimeout(resolve, periodMs));
    await refresh();
}
