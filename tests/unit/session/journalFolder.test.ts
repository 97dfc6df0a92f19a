/** One journal for each backend, however its URL is written (A5). */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { backendOf, journalFolders } from "../../../provider/dist/session/journalFolder.js";

describe("journal folder", () => {
    let root: string;
    const clone = async (name: string, yaml = "name: p\nruntime: nodejs\n") => {
        const folder = join(root, name);
        await mkdir(join(folder, "program"), { recursive: true });
        await writeFile(join(folder, "Pulumi.yaml"), yaml);
        return folder;
    };
    const folderOf = (env: NodeJS.ProcessEnv, workingFolder: string) =>
        journalFolders({ PULUMI_HOME: join(root, "home"), ...env }, workingFolder).folder;

    beforeEach(async () => {
        root = await mkdtemp(join(tmpdir(), "videograph-folder-"));
        await mkdir(join(root, "home"));
    });
    afterEach(() => rm(root, { recursive: true }));

    it("two clones with one relative backend URL and one home are two stacks", async () => {
        const [a, b] = [await clone("a"), await clone("b")];
        for (const url of ["file://.", "file://./state", "file://state"]) {
            const env = { PULUMI_BACKEND_URL: url };
            assert.notEqual(folderOf(env, a), folderOf(env, b), url);
        }
    });

    it("the program's folder and the project's are one place", async () => {
        const a = await clone("a");
        const env = { PULUMI_BACKEND_URL: "file://." };
        assert.equal(folderOf(env, join(a, "program")), folderOf(env, a));
    });

    it("an absolute URL, the home's, and one through a link are one place in all clones", async () => {
        const [a, b] = [await clone("a"), await clone("b")];
        await symlink(a, join(root, "link"));
        const absolute = folderOf({ PULUMI_BACKEND_URL: `file://${a}` }, b);
        assert.equal(absolute, folderOf({ PULUMI_BACKEND_URL: "file://." }, a));
        assert.equal(absolute, folderOf({ PULUMI_BACKEND_URL: `file://${root}/link` }, b));
        const home = folderOf({ PULUMI_BACKEND_URL: "file://~" }, a);
        assert.equal(home, folderOf({ PULUMI_BACKEND_URL: "file://~" }, b));
        assert.equal(home, folderOf({ PULUMI_BACKEND_URL: `file://${homedir()}` }, b));
    });

    it("the project's own backend counts, in every form, and the environment wins", async () => {
        const forms = [
            "name: p\nbackend:\n  url: s3://bucket/a\nruntime: nodejs\n",
            "name: p\nbackend: # ours\n    url: 's3://bucket/a'\n",
            'backend: {url: "s3://bucket/a"}\nname: p\n',
        ];
        const expected = folderOf({ PULUMI_BACKEND_URL: "s3://bucket/a" }, await clone("plain"));
        for (const [index, yaml] of forms.entries()) {
            assert.equal(folderOf({}, await clone(`form${index}`, yaml)), expected, yaml);
        }
        const other = { PULUMI_BACKEND_URL: "https://api.pulumi.com" };
        assert.notEqual(folderOf(other, join(root, "form0")), expected);
        const json = await clone("json", "");
        await rm(join(json, "Pulumi.yaml"));
        await writeFile(join(json, "Pulumi.json"), JSON.stringify({ name: "p", backend: { url: "s3://bucket/a" } }));
        assert.equal(folderOf({}, json), expected);
    });

    it("the login counts last, from where the CLI keeps it", async () => {
        const a = await clone("a");
        const none = folderOf({}, a);
        await writeFile(join(root, "home", "credentials.json"), '{"current":"https://one.test"}');
        const one = folderOf({}, a);
        await mkdir(join(root, "elsewhere"));
        await writeFile(join(root, "elsewhere", "credentials.json"), '{"current":"https://two.test/"}');
        const two = folderOf({ PULUMI_CREDENTIALS_PATH: join(root, "elsewhere") }, a);
        assert.equal(new Set([none, one, two]).size, 3);
        assert.equal(two, folderOf({ PULUMI_BACKEND_URL: "https://two.test" }, a));
    });

    it("never falls together with a folder of build 0.1, which is found where it was", async () => {
        const a = await clone("a");
        const env = { PULUMI_BACKEND_URL: "file://.", VIDEOGRAPH_JOURNAL_DIR: join(root, "journal") };
        const { folder, firstFolder } = journalFolders(env, a);
        assert.match(folder, /v2-[0-9a-f]{12}$/);
        // sha256 of "file://."
        assert.equal(firstFolder, join(root, "journal", "70e165ebd782"));
    });

    it("is in Pulumi's own home, unless one is set", async () => {
        const a = await clone("a");
        const own = join(homedir(), ".pulumi", "videograph", "journal");
        assert.equal(dirname(journalFolders({ PULUMI_BACKEND_URL: "s3://b" }, a).folder), own);
        const home = journalFolders({ PULUMI_BACKEND_URL: "s3://b", PULUMI_HOME: root }, a);
        assert.equal(dirname(home.folder), join(root, "videograph", "journal"));
        assert.equal(dirname(home.firstFolder), join(root, "videograph", "journal"));
        assert.equal(dirname(journalFolders({ VIDEOGRAPH_JOURNAL_DIR: root }, a).folder), root);
    });

    it("is of no backend where nothing names one", async () => {
        const a = await clone("a");
        const logins = [undefined, "no JSON", "{}", '{"current":5}', '{"current":""}'];
        for (const login of logins) {
            if (login !== undefined) await writeFile(join(root, "home", "credentials.json"), login);
            const { folder, firstFolder } = journalFolders({ PULUMI_HOME: join(root, "home") }, a);
            // sha256 of "none" and of ""
            assert.equal(basename(folder), "v2-140bedbf9c3f", login);
            assert.equal(basename(firstFolder), "e3b0c44298fc", login);
        }
    });

    describe("the backend's text", () => {
        const backend = (url: string, workingFolder = root) =>
            backendOf({ PULUMI_BACKEND_URL: url }, root, workingFolder);

        it("is the URL without slashes at its end", () => {
            assert.equal(backend("https://one.test/a//"), "https://one.test/a");
            assert.equal(backend("s3://bucket?region=eu"), "s3://bucket?region=eu");
        });

        it("of a folder is the real path, with the options of the URL", async () => {
            assert.equal(backend("file:///nowhere/./a/"), "file:///nowhere/a");
            assert.equal(backend("file:///nowhere/a?no_tmp_dir=true"), "file:///nowhere/a?no_tmp_dir=true");
            // There is no project here: then the working folder stands for it.
            assert.equal(backend("file://state"), `file://${await realpath(root)}/state`);
        });

        it("has the user's home in place of ~ alone", async () => {
            const here = await realpath(root);
            assert.equal(backend("file://~/nowhere"), `file://${homedir()}/nowhere`);
            assert.equal(backend("file://~nobody"), `file://${here}/~nobody`);
            assert.equal(backend("file:///nowhere/~"), "file:///nowhere/~");
            assert.equal(backend("file:///nowhere/~/a"), "file:///nowhere/~/a");
        });
    });

    describe("the project's own backend", () => {
        const none = "s3://login";
        let number = 0;
        const backendIn = async (text: string, name = "Pulumi.yaml") => {
            const folder = join(root, `project${number++}`);
            await mkdir(folder);
            await writeFile(join(folder, name), text);
            await writeFile(join(root, "credentials.json"), JSON.stringify({ current: none }));
            return backendOf({}, root, folder);
        };

        it("is found in every form that the CLI reads", async () => {
            const forms = [
                "backend:\n  url: s3://b",
                "'backend':\n  url: s3://b\n",
                '"backend":\n  "url": "s3://b"\n',
                "backend:\n  url : s3://b\n",
                "backend:\n  url: s3://b # ours\n",
                "backend:\n  # ours\n  options: x\n\n  \t\n  url: s3://b\nname: p\n",
                "name: p\r\nbackend:   # ours\r\n  options: x\r\n\r\n  url: s3://b\r\nruntime: nodejs\r\n",
                "backend: { options: x, url: s3://b }\n",
                "backend:\n# ours\n  url: s3://b\n",
                "where: &where { url: s3://b }\nbackend: *where\n",
                "backend: {\n  url: s3://b,\n  options: x\n}\n",
            ];
            for (const form of forms) assert.equal(await backendIn(form), "s3://b", form);
            for (const form of ['{"backend" : {"url" : "s3://b"}}', '{\n  "backend": {\n    "url": "s3://b"\n  }\n}']) {
                assert.equal(await backendIn(form, "Pulumi.json"), "s3://b", form);
            }
            assert.equal(await backendIn("backend:\n  url: s3://b\n", "Pulumi.yml"), "s3://b");
        });

        it("is nothing else that looks like it", async () => {
            const others = [
                "config:\n  backend:\n    url: s3://b\n",
                "config:\n  backend: { url: s3://b }\n",
                "name: p # backend: { url: s3://b }\n",
                "backend: { url: 1 }\n",
                "backend:\n\turl: s3://b\n",
                "backend:\n  options: x\nurl: s3://b\n",
                "backend:\n  options: x\nruntime:\n  url: s3://b\n",
                "xbackend:\n  url: s3://b\n",
                "backendx:\n  url: s3://b\n",
                "backend: x\n  url: s3://b\n",
                "backend:\n  curl: s3://b\n",
                "backend:\n  urls: s3://b\n",
                "backend: {}\nurl: s3://b\n",
                'backend:\n  url: ""\n',
                "name: p\n",
                "",
            ];
            for (const other of others) assert.equal(await backendIn(other), none, other);
        });

        it("S1: is never the one of a comment: two backends are two journals", async () => {
            const before = "# backend: {url: s3://old}\n#backend:\n#  url: s3://old\n";
            assert.equal(await backendIn(`${before}name: p\n`), none);
            assert.equal(await backendIn(`${before}backend: {url: s3://b}\n`), "s3://b");
            const within = "name: p\nbackend:\n  # url: s3://old\n \t#url: s3://older\n  url: s3://b\n";
            assert.equal(await backendIn(within), "s3://b");
            assert.equal(await backendIn(within.replaceAll("\n", "\r\n")), "s3://b");
            // A # within a line may be part of a text.
            assert.equal(
                await backendIn('{"description": "no. #1", "backend": {"url": "s3://b"}}', "Pulumi.json"),
                "s3://b",
            );
        });

        it("is none without a project", () => {
            assert.equal(backendOf({}, root, root), "none");
        });

        it("is none in a project file that cannot be read", async () => {
            const folder = join(root, "unreadable");
            await mkdir(join(folder, "Pulumi.yaml"), { recursive: true });
            assert.equal(backendOf({}, root, folder), "none");
        });
    });
});
