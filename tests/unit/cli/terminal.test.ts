/** What commands print at a terminal: questions, and text that comes from elsewhere. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { quoted, Terminal } from "../../../provider/dist/cli/terminal.js";
import { FakeClock } from "../../support/fakeClock.ts";

describe("Terminal", () => {
    function fake({ isTTY = true } = {}) {
        const stream = () => Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY, columns: 20 });
        const [stdin, stdout, stderr] = [stream(), stream(), stream()];
        const terminal = new Terminal({ stdin, stdout, stderr, clock: new FakeClock() });
        const said = () => String(stderr.read() ?? "");
        return { terminal, stdin, stdout, said };
    }

    it("takes only a whole yes for agreement, and the end of the input for a no", async () => {
        const agrees = async (answer: string) => {
            const { terminal, stdin, said } = fake();
            const agreed = terminal.confirm("Delete?");
            if (answer === "") stdin.end();
            else stdin.write(answer);
            const isAgreed = await agreed;
            assert.match(said(), /^Delete\? \(yes\/no\)\n$/);
            return isAgreed;
        };
        for (const answer of ["yes\n", " yes \n"]) assert.equal(await agrees(answer), true, answer);
        for (const answer of ["y\n", "Yes\n", "\n", "no\nyes\n", ""]) assert.equal(await agrees(answer), false, answer);
    });

    it("asks only at a terminal", () => {
        for (const isTTY of [true, false]) assert.equal(fake({ isTTY }).terminal.canAsk, isTTY);
    });

    it("passes nothing on that a terminal would obey, but colours", () => {
        const { terminal, stdout, said } = fake();
        terminal.print("\u001b[32mok\u001b[39m \u001b[2J\u0007\u202eevil\u0085\r\nnext 😀 é");
        assert.equal(stdout.read(), "\u001b[32mok\u001b[39m \\u001b[2J\\u0007\\u202eevil\\u0085\\u000d\nnext 😀 é\n");
        terminal.warn("\u009b2J");
        assert.match(said(), /^\S*warning:\S* \\u009b2J\n$/);
        const value = { title: "a\u202e\u0007\u{e0001}\n😀" };
        terminal.printJson(value);
        assert.deepEqual(JSON.parse(String(stdout.read())), value);
    });

    it("quotes text that comes from elsewhere on one line, without what a terminal would obey", () => {
        assert.equal(quoted(undefined), "(no title)");
        assert.equal(quoted('a "b"\n\u001b[31m\u202ec'), '"a \\"b\\"\\n\\u001b[31m\\u202ec"');
        assert.equal(quoted("😀".repeat(100)), `"${"😀".repeat(59)}…"`);
    });
});
