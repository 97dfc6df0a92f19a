export function packageSchema(o: { version: string; repository: string | undefined }): object {
    return { name: "videograph", version: o.version };
}
