/** One journal for each backend, however its URL is written (A5). */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { journalFolders } from "../../../provider/dist/session/journalFolder.js";

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
});
