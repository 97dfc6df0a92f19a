/** The page at `/`: what the emulated service holds, looked up every two seconds. */

export const pageHeaders = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Videograph emulator</title>
<style>
    :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
    body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
    code { font-size: .9em; }
    .Ready, .Active { color: #2a8a3e; }
    .Failed { color: #d1242f; }
    video { width: 16rem; max-width: 100%; }
    .empty { color: #888; }
</style>
</head>
<body>
<h1>Videograph emulator</h1>
<p id="problem" role="alert"></p>
<h2>Contents</h2>
<table><thead><tr><th>Title</th><th>Id</th><th>Status</th><th>Measures</th><th></th></tr></thead><tbody id="contents"></tbody></table>
<h2>Livestreams</h2>
<table><thead><tr><th>Title</th><th>UUID</th><th>Status</th><th>Region</th></tr></thead><tbody id="livestreams"></tbody></table>
<script type="module">
const cell = (...children) => {
    const element = document.createElement("td");
    element.append(...children);
    return element;
};
const styled = (tag, className, text) => {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    return element;
};
const player = (id) => {
    const video = document.createElement("video");
    Object.assign(video, { controls: true, preload: "none", src: "/playback/" + encodeURIComponent(id) + "/source.mp4" });
    video.poster = "/playback/" + encodeURIComponent(id) + "/thumbnail.svg";
    return video;
};
const status = (object) => {
    const text = object.failureReason ? object.status + ": " + object.failureReason : object.status;
    return cell(styled("span", object.status, text));
};
// A row is made anew only when its object has changed: a video that plays goes on playing.
const show = (id, objects, key, cells) => {
    const body = document.getElementById(id);
    const rows = new Map([...body.children].map((row) => [row.dataset.key, row]));
    body.replaceChildren(...objects.toReversed().map((object) => {
        const version = JSON.stringify(object);
        const old = rows.get(object[key]);
        if (old?.dataset.version === version) return old;
        const row = document.createElement("tr");
        Object.assign(row.dataset, { key: object[key], version });
        row.append(...cells(object));
        return row;
    }));
    if (objects.length === 0) body.replaceChildren(cell(styled("span", "empty", "none yet")));
};
const load = async (path) => {
    const response = await fetch("/_emulator/" + path);
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    return body;
};
let last = "";
const refresh = async () => {
    try {
        const [contents, livestreams] = await Promise.all([load("contents"), load("livestreams")]);
        document.getElementById("problem").textContent = "";
        const now = JSON.stringify([contents, livestreams]);
        if (now === last) return;
        last = now;
        show("contents", contents, "contentId", (content) => [
            cell(content.title),
            cell(styled("code", "", content.contentId)),
            status(content),
            cell(content.status === "Ready" ? content.durationMs / 1000 + " s, " + content.resolution : ""),
            content.status === "Ready" ? cell(player(content.contentId)) : cell(),
        ]);
        show("livestreams", livestreams, "streamUUID", (stream) => [
            cell(stream.title),
            cell(styled("code", "", stream.streamUUID)),
            status(stream),
            cell(stream.region),
        ]);
    } catch (error) {
        document.getElementById("problem").textContent = "The emulator does not answer: " + error.message;
    }
};
await refresh();
setInterval(refresh, 2000);
</script>
</body>
</html>
`;
