import type { Program } from './processes.ts';

/** A project in the measured program with an API_Messenger channel that leads to a receiver. */
export type Scene = { project: string; channel: string; key: Record<string, string>; secret: string };

export async function setScene(program: Program, receiverUrl: string): Promise<Scene> {
  const project = await program.command<{ uuid: string; bot_key: string }>('project', 'create', 'Bench');
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const channel = await program.command<{ uuid: string }>(
    ...['channel', 'add', 'API_Messenger', '--project', project.uuid, '--name', 'Bench'],
    ...['--set', `webhook_url=${receiverUrl}`, '--set', `secret=${secret}`],
  );
  return { project: project.uuid, channel: channel.uuid, key: { 'bot-key': project.bot_key }, secret };
}

/** Sends a client's first message; returns the uuid of the chat. */
export async function firstMessage(program: Program, scene: Scene, name: string): Promise<string> {
  const response = await fetch(`${program.url}/channels/${scene.channel}/messages/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      chat: { external_id: name },
      message: { external_id: `first-${name}`, type: 'text', text: 'Hi' },
    }),
  });
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer && 'chat_uuid' in answer) return String(answer.chat_uuid);
  throw new Error(`the client could not write: ${response.status}`);
}
