/** Things to send for those who have none at hand. */

const hues = [12, 45, 150, 200, 265, 320];

/** @returns {Promise<File>} a small picture, each time another one */
export async function samplePicture() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [480, 320];
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('The browser cannot draw.');
  const hue = hues[Math.floor(Math.random() * hues.length)] ?? 0;
  const sky = pen.createLinearGradient(0, 0, 0, 320);
  sky.addColorStop(0, `hsl(${hue} 80% 82%)`);
  sky.addColorStop(1, `hsl(${hue + 40} 85% 66%)`);
  pen.fillStyle = sky;
  pen.fillRect(0, 0, 480, 320);
  pen.fillStyle = 'rgb(255 255 255 / 85%)';
  pen.beginPath();
  pen.arc(100 + Math.random() * 280, 90, 42, 0, 7);
  pen.fill();
  for (const layer of [0, 1, 2]) hills(pen, hue, layer);
  return new Promise((resolve) =>
    canvas.toBlob((blob) => resolve(new File([blob ?? ''], 'view.png', { type: 'image/png' }))),
  );
}

/** @param {CanvasRenderingContext2D} pen @param {number} hue @param {number} layer */
function hills(pen, hue, layer) {
  const top = 190 + layer * 42;
  const shift = Math.random() * 6;
  pen.fillStyle = `hsl(${hue + 60} 35% ${52 - layer * 13}%)`;
  pen.beginPath();
  pen.moveTo(0, 320);
  for (let x = 0; x <= 480; x += 8)
    pen.lineTo(x, top + Math.sin(x / (60 + layer * 20) + shift) * (26 - layer * 5));
  pen.lineTo(480, 320);
  pen.fill();
}

const rate = 8_000;

/** @returns {File} a second of two friendly tones */
export function sampleVoice() {
  const samples = new Uint8Array(rate);
  for (let at = 0; at < rate; at += 1) {
    const tone = at < rate / 2 ? 523 : 659;
    const fade = Math.sin((Math.PI * (at % (rate / 2))) / (rate / 2));
    samples[at] = 128 + 60 * fade * Math.sin((2 * Math.PI * tone * at) / rate);
  }
  return new File([wavHeader(rate), samples], 'voice.wav', { type: 'audio/wav' });
}

/** @param {number} size */
function wavHeader(size) {
  const view = new DataView(new ArrayBuffer(44));
  /** @param {number} at @param {string} text */
  const write = (at, text) => {
    for (const [place, letter] of [...text].entries()) view.setUint8(at + place, letter.charCodeAt(0));
  };
  write(0, 'RIFF');
  view.setUint32(4, 36 + size, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, 'data');
  view.setUint32(40, size, true);
  return view.buffer;
}
