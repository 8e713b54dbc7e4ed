import { exampleOf } from '../example.ts';
import { webhookIntroduction } from '../prose.ts';
import type { Document, Operation } from '../types.ts';
import { type Html, html, paragraphs } from './html.ts';
import { objectSection, operationSection, webhookSection } from './operation.ts';

type Placed = { method: string; path: string; operation: Operation };

/** The document as one HTML page without scripts. `base` is the path of the service on its host. */
export function renderPage(document: Document, base: string): string {
  const groups = groupsOf(document);
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} partner API</title>
${icon}
<link rel="stylesheet" href="${base}/site.css">
<link rel="stylesheet" href="${base}/api/partners/docs/docs.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="page">
${contents(document, groups)}
<main id="content">
<header>
<h1>${document.info.title} partner API</h1>
<p class="facts">Version ${document.info.version} · <a href="${base}/api/partners/openapi.json">OpenAPI 3.1</a> · <a href="${base}/api/partners/asyncapi.json">AsyncAPI 3</a> · <a href="${base}/api/partners/docs/contract.md">contract</a> · <a href="${base}/api/partners/docs/api-messenger.md">your own messenger</a></p>
${paragraphs(document.info.description)}
</header>
${groups.map(({ name, description, placed }) =>
  section(
    name,
    description,
    placed.map(({ method, path, operation }) => operationSection(document, method, path, operation)),
  ),
)}
${section(
  'Webhooks',
  webhookIntroduction,
  Object.values(document.webhooks).map(({ post }) => webhookSection(document, post)),
)}
${section('Objects', 'Objects that several operations share.', objects(document))}
</main>
</div>
</body>
</html>`;
  return markup;
}

type Group = { name: string; description: string; placed: Placed[] };

function groupsOf(document: Document): Group[] {
  const placed = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    placed: placed.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

const anchorOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const section = (name: string, description: string, articles: Html[]): Html =>
  html`<section id="${anchorOf(name)}">
<h2><a href="#${anchorOf(name)}">${name}</a></h2>
${paragraphs(description)}
${articles}
</section>`;

const objects = (document: Document): Html[] =>
  Object.entries(document.components.schemas)
    .filter(([name]) => !isPayload(document, name))
    .map(([name, schema]) =>
      objectSection(document, name, schema, exampleOf(schema, document.components.schemas)),
    );

/** A payload is described with its event. */
const isPayload = ({ webhooks }: Document, name: string): boolean =>
  Object.values(webhooks).some(({ post }) => {
    const schema = post.requestBody?.content['application/json']?.schema;
    return schema?.properties?.payload?.$ref?.endsWith(`/${name}`);
  });

const icon = html`<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect width=%2232%22 height=%2232%22 rx=%229%22 fill=%22%230b7a6b%22/%3E%3Cpath d=%22M10 11v4c0 7 12 1 12 8%22 fill=%22none%22 stroke=%22white%22 stroke-width=%222.4%22/%3E%3Ccircle cx=%2210%22 cy=%229.5%22 r=%223.2%22 fill=%22white%22/%3E%3Ccircle cx=%2222%22 cy=%2222.5%22 r=%223.2%22 fill=%22white%22/%3E%3C/svg%3E">`;

const logo = html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect class="plate" width="32" height="32" rx="9" /><path class="cord" d="M10 11v4c0 7 12 1 12 8" /><circle class="plug" cx="10" cy="9.5" r="3.2" /><circle class="plug" cx="22" cy="22.5" r="3.2" /></svg>`;

function contents(document: Document, groups: Group[]): Html {
  const operations = groups.map(({ name, placed }) =>
    entry(
      name,
      placed.map(({ operation }) => [operation.operationId, operation.summary]),
    ),
  );
  const events = Object.keys(document.webhooks).map((name): [string, string] => [name, name]);
  return html`<nav aria-label="Contents">
<a class="brand" href="#content">${logo} ${document.info.title}</a>
<ul>${operations}${entry('Webhooks', events)}${entry('Objects', [])}</ul>
</nav>`;
}

function entry(name: string, links: [id: string, text: string][]): Html {
  const inside = links.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`);
  return html`<li><a class="group" href="#${anchorOf(name)}">${name}</a>${inside.length > 0 ? html`<ul>${inside}</ul>` : undefined}</li>`;
}
