// A file of this machine becomes a video: the program puts it into a bucket, and the service reads it from there.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { AwsClient } from "aws4fetch";
import * as videograph from "pulumi-videograph";

const config = new pulumi.Config();
const file = config.require("file");
/** Such as https://my-bucket.s3.eu-central-1.amazonaws.com, or the address of another service with S3's interface. */
const bucketUrl = config.require("bucketUrl");
const hours = 6;

const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "", AWS_SESSION_TOKEN } = process.env;
const s3 = new AwsClient({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
    service: "s3",
    region: config.get("bucketRegion") ?? "us-east-1",
});

const bytes = readFileSync(file);
const digest = createHash("sha256").update(bytes).digest("hex");
const objectUrl = `${bucketUrl}/${digest}.mp4`;

/** Puts the file into the bucket, unless it is there, and gives a URL with which the service can read it. */
async function upload(): Promise<string> {
    // A preview changes nothing.
    if (!pulumi.runtime.isDryRun() && !(await s3.fetch(objectUrl, { method: "HEAD" })).ok) {
        const { ok, status } = await s3.fetch(objectUrl, { method: "PUT", body: bytes });
        if (!ok) throw new pulumi.RunError(`The bucket does not take ${file}: HTTP ${status}`);
    }
    const { url } = await s3.sign(`${objectUrl}?X-Amz-Expires=${hours * 3600}`, { aws: { signQuery: true } });
    return url;
}

const video = new videograph.Content("video", {
    title: config.get("title") ?? "Trailer",
    content: [{ url: upload() }],
    // The URL is another one in every run. What counts is what is in the file.
    sourceVersion: digest,
});

export const playbackUrl = video.playbackUrl;
