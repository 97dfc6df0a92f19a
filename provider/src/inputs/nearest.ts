/** The name that the user probably meant. */
export function nearest(word: string, names: readonly string[]): string | undefined {
    const distances = names.map((name) => ({ name, distance: distance(word.toLowerCase(), name.toLowerCase()) }));
    const best = distances.sort((a, b) => a.distance - b.distance)[0];
    return best !== undefined && best.distance <= Math.max(2, word.length / 3) ? best.name : undefined;
}

/** The end of a message after "correct it". */
export function correction(word: string, names: readonly string[]): string {
    const name = nearest(word, names);
    return name === undefined ? "" : ` to \`${name}\``;
}

/** Levenshtein's distance, two rows at a time. */
export function distance(a: string, b: string): number {
    let above = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (const [i, letter] of [...a].entries()) {
        const row = [i + 1];
        for (const [j, other] of [...b].entries()) {
            row.push(
                Math.min((above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1, (above[j] ?? 0) + (letter === other ? 0 : 1)),
            );
        }
        above = row;
    }
    return above[b.length] ?? 0;
}
