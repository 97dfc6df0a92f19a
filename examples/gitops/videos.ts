// The channel's videos. A change here is a pull request, and a merged pull request is what the service holds.
export interface Video {
    name: string;
    title: string;
    file: string;
}

export const videos: readonly Video[] = [
    { name: "welcome", title: "Welcome to the harbour", file: "welcome.mp4" },
    { name: "tides", title: "How the tides work", file: "tides.mp4" },
];
