// Moving pictures of a canvas: a GIF, written here, and a video, as the browser encodes one.

/** A GIF of one palette of 253 colours: those that are most frequent in the first frame, and a coarse cube of all. */
export class Gif {
  constructor(width, height, delay) {
    Object.assign(this, {width, height, delay, out: [], nearest: new Map()});
  }

  word(value) { this.out.push(value & 255, value >> 8); }

  /** A frame of red, green, blue and alpha. */
  add(pixels) {
    if (!this.palette) this.begin(pixels);
    this.out.push(0x21, 0xf9, 4, 0);
    this.word(this.delay);
    this.out.push(0, 0, 0x2c);
    for (const value of [0, 0, this.width, this.height]) this.word(value);
    this.out.push(0, 8);
    const indices = new Uint8Array(this.width * this.height);
    for (let i = 0; i < indices.length; i++) indices[i] = this.index(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]);
    this.compress(indices);
  }

  begin(pixels) {
    const counts = new Map();
    for (let i = 0; i < pixels.length; i += 4) {
      const key = (pixels[i] >> 2) << 12 | (pixels[i + 1] >> 2) << 6 | pixels[i + 2] >> 2;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    this.palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 128).map(([key]) => [key >> 12 << 2 | 2, (key >> 6 & 63) << 2 | 2, (key & 63) << 2 | 2]);
    for (const r of [0, 64, 128, 192, 255]) for (const g of [0, 64, 128, 192, 255]) for (const b of [0, 64, 128, 192, 255]) this.palette.push([r, g, b]);
    while (this.palette.length < 256) this.palette.push([0, 0, 0]);
    for (const letter of 'GIF89a') this.out.push(letter.charCodeAt(0));
    this.word(this.width);
    this.word(this.height);
    this.out.push(0xf7, 0, 0, ...this.palette.slice(0, 256).flat());
    this.out.push(0x21, 0xff, 11, ...[...'NETSCAPE2.0'].map(letter => letter.charCodeAt(0)), 3, 1, 0, 0, 0); // for ever
  }

  index(r, g, b) {
    const key = (r >> 2) << 12 | (g >> 2) << 6 | b >> 2;
    let best = this.nearest.get(key);
    if (best === undefined) {
      let least = Infinity;
      this.palette.forEach(([pr, pg, pb], i) => {
        const away = (r - pr) ** 2 + (g - pg) ** 2 + (b - pb) ** 2;
        if (away < least && i < 256) { least = away; best = i; }
      });
      this.nearest.set(key, best);
    }
    return best;
  }

  /** Lempel, Ziv and Welch, in blocks of 255 bytes. */
  compress(indices) {
    let size = 9, next = 258, bits = 0, held = 0, block = [];
    let table = new Map();
    const flush = () => { if (block.length) { this.out.push(block.length); for (const byte of block) this.out.push(byte); block = []; } };
    const emit = code => {
      held |= code << bits;
      bits += size;
      while (bits >= 8) { block.push(held & 255); held >>>= 8; bits -= 8; if (block.length === 255) flush(); }
    };
    emit(256);
    let before = indices[0];
    for (let i = 1; i < indices.length; i++) {
      const key = before << 8 | indices[i], known = table.get(key);
      if (known !== undefined) { before = known; continue; }
      emit(before);
      if (next === 4096) {
        emit(256);
        table = new Map();
        next = 258;
        size = 9;
      } else {
        if (next >= 1 << size) size++;
        table.set(key, next++);
      }
      before = indices[i];
    }
    emit(before);
    if (next >= 1 << size && size < 12) size++;
    emit(257);
    if (bits > 0) block.push(held & 255);
    flush();
    this.out.push(0);
  }

  bytes() { return new Uint8Array([...this.out, 0x3b]); }
}

/** Records frames of a canvas in the time that they last. */
export async function record(canvas, rate, count, shoot, progress) {
  const type = ['video/mp4;codecs=avc1.42E01E', 'video/mp4', 'video/webm;codecs=vp9', 'video/webm'].find(each => window.MediaRecorder?.isTypeSupported(each));
  if (!type) throw new Error('This browser records no video; save a GIF.');
  const recorder = new MediaRecorder(canvas.captureStream(rate), {mimeType: type, videoBitsPerSecond: 6e6});
  const parts = [];
  recorder.ondataavailable = event => parts.push(event.data);
  const ended = new Promise(done => { recorder.onstop = done; });
  recorder.start();
  for (let i = 0; i < count; i++) {
    shoot(i);
    if (i % rate === 0) progress(i / count);
    await new Promise(done => setTimeout(done, 1000 / rate));
  }
  recorder.stop();
  await ended;
  return new Blob(parts, {type: recorder.mimeType});
}
