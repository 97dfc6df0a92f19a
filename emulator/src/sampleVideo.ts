/**
 * A real, playable video made from nothing, so that demos and tests need neither a download nor an encoder.
 *
 * Each frame is one colour. In H.264 that takes one raw macroblock that carries the colour, and for every other
 * macroblock the eight bits that say "as my neighbours": about a kilobyte for a frame of 640x360.
 */
import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { type ApiRequest, ServiceError } from "./http";
import {
    BufferTarget,
    EncodedPacket,
    EncodedVideoPacketSource,
    MovOutputFormat,
    Mp4OutputFormat,
    Output,
} from "./media";
import { check } from "./validate";

/** What the sample is like. */
export interface SampleVideoOptions {
    /** In ms. Default 2000. */
    durationMs?: number | undefined;
    /** In pixels, even. Default 640. */
    width?: number | undefined;
    /** In pixels, even. Default 360. */
    height?: number | undefined;
    /** Default "mp4". */
    container?: "mp4" | "mov" | "m4v" | undefined;
}

const dimension = z.coerce.number().int().min(16).max(4096).multipleOf(2);

const sampleVideoSchema = z.strictObject({
    durationMs: z.coerce.number().int().min(1).max(3_600_000).optional(),
    width: dimension.optional(),
    height: dimension.optional(),
}) satisfies z.ZodType<SampleVideoOptions>;
const containerSchema = z.enum(["mp4", "mov", "m4v"]);

const frameMs = 250;
/** After so many frames the colours repeat, and so do the bytes. */
const distinctFrames = 32;
/** Of a video that is served. A frame takes about a byte for each block of 16x16. */
const mostBytes = 32 * 1024 ** 2;

/** Makes a video of slowly changing colour, H.264 without sound, as the bytes of a file. */
export async function sampleVideo(options: SampleVideoOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const { durationMs = 2000, width = 640, height = 360, container = "mp4" } = options;
    const target = new BufferTarget();
    const format = container === "mov" ? new MovOutputFormat() : new Mp4OutputFormat({ fastStart: "in-memory" });
    const output = new Output({ format, target });
    const track = new EncodedVideoPacketSource("avc");
    output.addVideoTrack(track);
    await output.start();

    const sps = sequenceParameters(width, height);
    const meta = {
        decoderConfig: {
            codec: `avc1.${Buffer.from(sps.subarray(1, 4)).toString("hex")}`,
            codedWidth: width,
            codedHeight: height,
            description: decoderConfiguration(sps, pictureParameters()),
        },
    };
    const frames: Uint8Array[] = [];
    for (let index = 0, at = 0; at < durationMs; index++, at += frameMs) {
        const duration = Math.min(frameMs, durationMs - at) / 1000;
        if (frames.length < distinctFrames) {
            frames.push(frame(width, height, index));
            await setImmediate(); // let other requests run
        }
        const bytes = frames[index % distinctFrames] ?? new Uint8Array();
        await track.add(new EncodedPacket(bytes, "key", at / 1000, duration), meta);
    }
    await output.finalize();
    if (target.buffer === null) throw new Error("The sample video's output is finalized but has no bytes");
    const bytes = new Uint8Array(target.buffer);
    // An M4V file is an MP4 file of another major brand, at offset 8.
    if (container === "m4v") bytes.set(Buffer.from("M4V "), 8);
    return bytes;
}

/** Serves `/sample.<container>?durationMs=…&width=…&height=…`. */
export async function sendSample(request: ApiRequest, response: ServerResponse): Promise<void> {
    const container = containerSchema.safeParse(request.path.slice("/sample.".length)).data;
    if (container === undefined) throw new ServiceError(404, "There are /sample.mp4, /sample.mov and /sample.m4v");
    const options = { ...check(sampleVideoSchema, Object.fromEntries(request.query), "query"), container };
    const { durationMs = 2000, width = 640, height = 360 } = options;
    if ((durationMs / frameMs) * (width / 16) * (height / 16) > mostBytes) {
        throw new ServiceError(400, "A sample this long and this large is not made: choose less of either");
    }
    const bytes = await oneAtATime(() => sampleVideo(options));
    const type = container === "mov" ? "video/quicktime" : container === "m4v" ? "video/x-m4v" : "video/mp4";
    response.writeHead(200, { "content-type": type, "content-length": bytes.length });
    response.end(bytes);
}

/** Samples that are being made: one at a time, so that many requests do not hold many videos in the making. */
let making: Promise<unknown> = Promise.resolve();

function oneAtATime<T>(make: () => Promise<T>): Promise<T> {
    const made = making.then(make);
    making = made.catch(() => {});
    return made;
}

/** Appends bits; `ue` and `se` are H.264's Exp-Golomb codes. */
class BitWriter {
    readonly #bytes: number[] = [];
    #current = 0;
    #used = 0;

    bits(value: number, count: number): this {
        for (let shift = count - 1; shift >= 0; shift--) {
            this.#current = (this.#current << 1) | ((value >>> shift) & 1);
            if (++this.#used === 8) {
                this.#bytes.push(this.#current);
                this.#current = 0;
                this.#used = 0;
            }
        }
        return this;
    }

    ue(value: number): this {
        const length = Math.floor(Math.log2(value + 1));
        return this.bits(0, length).bits(value + 1, length + 1);
    }

    se(value: number): this {
        return this.ue(value > 0 ? value * 2 - 1 : -value * 2);
    }

    align(bit: 0 | 1): this {
        while (this.#used > 0) this.bits(bit, 1);
        return this;
    }

    /** A NAL unit of what was written: closed by the stop bit, with start codes inside it broken up. */
    unit(header: number): Uint8Array {
        this.bits(1, 1).align(0);
        const unit = [header];
        let zeros = 0;
        for (const byte of this.#bytes) {
            if (zeros === 2 && byte <= 3) {
                unit.push(3);
                zeros = 0;
            }
            unit.push(byte);
            zeros = byte === 0 ? zeros + 1 : 0;
        }
        return Uint8Array.from(unit);
    }
}

function sequenceParameters(width: number, height: number): Uint8Array {
    const columns = Math.ceil(width / 16);
    const rows = Math.ceil(height / 16);
    const blocks = columns * rows;
    const level = blocks <= 1620 ? 30 : blocks <= 8192 ? 40 : 52;
    const writer = new BitWriter()
        .bits(66, 8) // baseline profile…
        .bits(0b1100_0000, 8) // …constrained
        .bits(level, 8)
        .ue(0) // seq_parameter_set_id
        .ue(0) // log2_max_frame_num_minus4
        .ue(2) // pic_order_cnt_type: output order is decoding order
        .ue(0) // max_num_ref_frames: no frame refers to another
        .bits(0, 1) // gaps_in_frame_num_value_allowed_flag
        .ue(columns - 1)
        .ue(rows - 1)
        .bits(1, 1) // frame_mbs_only_flag
        .bits(1, 1); // direct_8x8_inference_flag
    const [right, bottom] = [columns * 16 - width, rows * 16 - height];
    if (right === 0 && bottom === 0) writer.bits(0, 1);
    else {
        writer
            .bits(1, 1) // frame_cropping_flag, in units of two pixels
            .ue(0)
            .ue(right / 2)
            .ue(0)
            .ue(bottom / 2);
    }
    return writer.bits(0, 1).unit(0x67); // no vui_parameters
}

function pictureParameters(): Uint8Array {
    return new BitWriter()
        .ue(0) // pic_parameter_set_id
        .ue(0) // seq_parameter_set_id
        .bits(0, 2) // CAVLC; no bottom field
        .ue(0) // one slice group
        .ue(0)
        .ue(0)
        .bits(0, 3) // no weighted prediction
        .se(0)
        .se(0)
        .se(0)
        .bits(0b100, 3) // deblocking_filter_control_present_flag
        .unit(0x68);
}

/** A key frame of one colour, as the length-prefixed unit that MP4 wants. */
function frame(width: number, height: number, index: number): Uint8Array {
    const columns = Math.ceil(width / 16);
    const blocks = columns * Math.ceil(height / 16);
    const writer = new BitWriter()
        .ue(0) // first_mb_in_slice
        .ue(7) // an I slice, as all are
        .ue(0) // pic_parameter_set_id
        .bits(0, 4) // frame_num
        .ue(index % 2) // idr_pic_id differs from the frame before
        .bits(0, 2) // dec_ref_pic_marking
        .se(0) // slice_qp_delta
        .ue(1); // no deblocking
    writer.ue(25).align(0); // I_PCM
    const angle = (index / 32) * 2 * Math.PI;
    const [luma, blue, red] = [120, 128 + Math.round(80 * Math.cos(angle)), 128 + Math.round(80 * Math.sin(angle))];
    for (let sample = 0; sample < 256; sample++) writer.bits(luma, 8);
    for (let sample = 0; sample < 64; sample++) writer.bits(blue, 8);
    for (let sample = 0; sample < 64; sample++) writer.bits(red, 8);
    for (let block = 1; block < blocks; block++) {
        writer
            .ue(3) // I_16x16, DC prediction, no coefficients
            .ue(0) // chroma: DC prediction
            .se(0); // mb_qp_delta
        // "No coefficients" is coded by how many the neighbours have, and a raw block counts as having all 16.
        if (block === 1 || block === columns) writer.bits(0b000011, 6);
        else writer.bits(1, 1);
    }
    const unit = writer.unit(0x65);
    const prefixed = new Uint8Array(4 + unit.length);
    new DataView(prefixed.buffer).setUint32(0, unit.length);
    prefixed.set(unit, 4);
    return prefixed;
}

/** The `avcC` record. */
function decoderConfiguration(sps: Uint8Array, pps: Uint8Array): Uint8Array {
    return Uint8Array.from([
        1,
        ...sps.subarray(1, 4),
        0xff, // lengths are four bytes
        0xe1, // one sequence parameter set
        sps.length >> 8,
        sps.length & 0xff,
        ...sps,
        1, // one picture parameter set
        pps.length >> 8,
        pps.length & 0xff,
        ...pps,
    ]);
}
