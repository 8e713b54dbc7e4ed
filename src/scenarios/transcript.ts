import type { Button } from '../channels/contract/adapter.ts';
import type { JsonValue } from '../platform/http/fields.ts';

/** One event of a play. */
export type Entry =
  | { what: 'client'; text: string; pressed: boolean }
  | {
      what: 'message';
      kind: 'text' | 'image' | 'document';
      text: string | null;
      url: string | null;
      buttons: Button[];
    }
  | { what: 'profile'; attributes: { [name: string]: JsonValue }; addTags: string[]; removeTags: string[] }
  | { what: 'request'; method: string; url: string }
  | { what: 'operator'; title: string; team: string | null }
  /** A wait ended at this moment, in ISO 8601. */
  | { what: 'time'; at: string }
  | { what: 'scenario'; name: string }
  /** The run did not wait for this event. */
  | { what: 'unheard' }
  | { what: 'end' }
  | { what: 'failure'; reason: string }
  /** A line of the script, counted from 1, expected something else. */
  | { what: 'mismatch'; line: number; text: string };

export const transcriptOf = (entries: readonly Entry[]): string[] => entries.map(told);

function told(entry: Entry): string {
  switch (entry.what) {
    case 'client':
      return `client: ${entry.pressed ? `[${entry.text}]` : entry.text}`;
    case 'message': {
      const { url, text, buttons } = entry;
      const parts = [url && `<${url}>`, text, ...buttons.map((button) => `[${button.text}]`)];
      return `bot:    ${parts.filter(Boolean).join(' ')}`;
    }
    case 'profile': {
      const { what: _, ...change } = entry;
      return aside(`profile: ${JSON.stringify(change)}`);
    }
    case 'request':
      return aside(`request: ${entry.method} ${entry.url}`);
    case 'operator':
      return aside(`operator: ${entry.title}`);
    case 'time':
      return aside(entry.at);
    case 'scenario':
      return aside(`on to: ${entry.name}`);
    case 'unheard':
      return aside('nobody asked');
    case 'end':
      return aside('the end');
    case 'failure':
      return aside(`failed: ${entry.reason}`);
    case 'mismatch':
      return `✖ line ${entry.line}: ${entry.text}`;
  }
}

const aside = (text: string): string => `        (${text})`;
