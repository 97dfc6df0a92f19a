// The site's videos. All of them are on staging; approving one is what brings it to production.
export interface Video {
    name: string;
    title: string;
    file: string;
    approved: boolean;
}

export const videos: readonly Video[] = [
    { name: "tour", title: "A tour of the house", file: "tour.mp4", approved: true },
    { name: "founders", title: "How it began", file: "founders.mp4", approved: true },
    { name: "outlook", title: "What comes next", file: "outlook.mp4", approved: false },
];
