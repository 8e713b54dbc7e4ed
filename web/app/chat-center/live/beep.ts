import { kept } from '../kept.ts';

/** Whether a client's message plays a sound; each operator chooses per browser. */
export const soundIsOn = kept('chat-sound', (stored) => stored !== false);

let audio: AudioContext | undefined;

/** Browsers allow sound only after the first interaction with the page. */
export function allowSound(): () => void {
  const allow = () => {
    audio ??= new AudioContext();
    stop();
  };
  const stop = () => {
    removeEventListener('pointerdown', allow);
    removeEventListener('keydown', allow);
  };
  addEventListener('pointerdown', allow);
  addEventListener('keydown', allow);
  return stop;
}

/** Two short, soft tones. */
export function beep(): void {
  if (!audio || !soundIsOn.get()) return;
  for (const [index, frequency] of [660, 880].entries())
    tone(audio, frequency, audio.currentTime + index * 0.12);
}

function tone(context: AudioContext, frequency: number, at: number): void {
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.12, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.2);
  const oscillator = new OscillatorNode(context, { frequency });
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.22);
}
