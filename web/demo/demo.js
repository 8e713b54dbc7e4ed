/** @import { Message } from '../widget/api.js' */

/** @param {string} id */
function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}.`);
  return found;
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** @param {string} id */
const done = (id) => part(id).classList.add('done');

/** Shows the event that a webhook receives for the last answer, exactly as the service sends it. */
async function showEvent() {
  const response = await fetch('last-answer/');
  if (!response.ok) return;
  const event = await response.json();
  const place = part('event');
  place.textContent = JSON.stringify(event, null, 2);
  part('when').textContent = clock.format(event.timestamp);
  place.classList.remove('arrived');
  requestAnimationFrame(() => place.classList.add('arrived'));
  place.parentElement?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
}

document.addEventListener('patchbay:message', (happened) => {
  if (!(happened instanceof CustomEvent)) return;
  /** @type {Message} */
  const message = happened.detail;
  if (message.from === 'team') {
    done('send');
    done('arrive');
  } else {
    done('answer');
    void showEvent();
  }
});

part('copy').addEventListener('click', async () => {
  const label = part('copy');
  try {
    await navigator.clipboard.writeText(part('command').textContent ?? '');
    label.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(part('command'));
    label.textContent = 'Press Ctrl+C';
  }
  setTimeout(() => {
    label.textContent = 'Copy';
  }, 2000);
});
