import { useAccount } from '../api.ts';

/** Builds the script tag of a widget; `more` are further attributes. */
export function useScriptTag(): (channel: string, more?: readonly string[]) => string {
  const { data } = useAccount();
  const address = `${data?.public_url ?? ''}/widget.js`;
  return (channel, more = []) =>
    `<script ${[`src="${address}"`, `data-channel="${channel}"`, ...more, 'async'].join(' ')}></script>`;
}
