import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig, settings } from '../src/platform/config.ts';

const root = join(import.meta.dirname, '..');
const chart = join(root, 'deploy', 'helm');
const folder = mkdtempSync(join(tmpdir(), 'patchbay-helm-'));
after(() => rmSync(folder, { recursive: true }));

const helm = (...words: string[]) => spawnSync('helm', words, { encoding: 'utf8' });
const withHelm = { skip: helm('version').status !== 0 && 'helm is not installed' };

const given = {
  settings: {
    PUBLIC_URL: 'https://patchbay.test',
    S3_BUCKET: 'files',
    PATCHBAY_PROJECT_STORAGE_MB: 1_048_576,
  },
  secrets: {
    DATABASE_URL: 'postgres://patchbay@database/patchbay',
    PATCHBAY_SECRET_KEY: 'k'.repeat(32),
    S3_ENDPOINT: 'https://s3.test',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    PATCHBAY_METRICS_TOKEN: 't'.repeat(24),
  },
};

/** JSON is YAML. */
function fileOf(values: object): string {
  const path = join(folder, 'values.yaml');
  writeFileSync(path, JSON.stringify(values));
  return path;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into objects freely.
type Rendered = any;

function render(values: object): Rendered[] {
  const { status, stdout, stderr } = helm('template', 'shop', chart, '-f', fileOf(values));
  assert.deepEqual([status, stderr], [0, '']);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS())
    .filter((one) => one !== null);
}

const ofKind = (objects: Rendered[], kind: string): Rendered[] => objects.filter((one) => one.kind === kind);

test('the chart has the version of the package, and names no setting that the program does not know', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const about = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
  assert.deepEqual([about.version, about.appVersion], [version, version]);
  const known: ReadonlySet<string> = new Set(settings);
  const texts = globSync('**/*.{yaml,tpl}', { cwd: chart }).map((name) =>
    readFileSync(join(chart, name), 'utf8'),
  );
  const named = texts.flatMap((text) => text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []);
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test('helm finds nothing to complain of', withHelm, () => {
  const { status, stdout } = helm('lint', '--strict', chart, '-f', fileOf(given));
  assert.equal(status, 0, stdout);
});

test('each role runs with its settings, without rights, on a read-only file system', withHelm, () => {
  const objects = render({ ...given, metrics: { enabled: true } });
  const [secret] = ofKind(objects, 'Secret');
  const deployments = ofKind(objects, 'Deployment');
  assert.equal(deployments.length, 2);
  for (const { spec } of deployments) {
    const { spec: pod } = spec.template;
    const [container] = pod.containers;
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.deepEqual(container.securityContext, {
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    assert.deepEqual(
      container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath),
      ['/data', '/tmp'],
    );
    assert.deepEqual(container.envFrom, [{ secretRef: { name: secret.metadata.name } }]);
    const own = Object.fromEntries(container.env.map(({ name, value }: Rendered) => [name, value]));
    const config = loadConfig({ ...secret.stringData, ...own }, '/nowhere/.env');
    assert.deepEqual(config.roles, [spec.selector.matchLabels['app.kubernetes.io/component']]);
    assert.equal(config.projectStorageBytes, 1_048_576 * 2 ** 20);
    assert.equal(config.metrics?.port, container.ports[1].containerPort);
    // The pause before SIGTERM, and the program's own limit.
    assert.ok(
      pod.terminationGracePeriodSeconds >= Number(container.lifecycle.preStop.exec.command[1]) + 25 + 5,
    );
    assert.equal(container.livenessProbe.httpGet.path, '/healthz');
    assert.equal(container.readinessProbe.httpGet.path, '/readyz');
  }
});

test(
  'the service leads to the pods of the role api, and a budget protects the pods of each role',
  withHelm,
  () => {
    const objects = render(given);
    const labels = ofKind(objects, 'Deployment').map(({ spec }) => spec.template.metadata.labels);
    const chosenBy = (selector: Record<string, string>) =>
      labels
        .filter((ofPod) => Object.entries(selector).every(([name, value]) => ofPod[name] === value))
        .map((ofPod) => ofPod['app.kubernetes.io/component']);
    const [service] = ofKind(objects, 'Service');
    assert.deepEqual(chosenBy(service.spec.selector), ['api']);
    assert.deepEqual(
      ofKind(objects, 'PodDisruptionBudget').map(({ spec }) => chosenBy(spec.selector.matchLabels)),
      [['api'], ['worker']],
    );
    assert.deepEqual(ofKind(objects, 'HorizontalPodAutoscaler'), []);
  },
);

test('an autoscaled role has no number of its own, and a secret that exists is not made', withHelm, () => {
  const { settings: chosen } = given;
  const worker = { autoscaling: { enabled: true } };
  const objects = render({ settings: chosen, existingSecret: 'ours', worker });
  const [api, scaled] = ofKind(objects, 'Deployment');
  assert.deepEqual([api.spec.replicas, scaled.spec.replicas], [2, undefined]);
  const [scaler, ...others] = ofKind(objects, 'HorizontalPodAutoscaler');
  assert.deepEqual([scaler.spec.scaleTargetRef.name, others], [scaled.metadata.name, []]);
  assert.deepEqual(ofKind(objects, 'Secret'), []);
  assert.equal(api.spec.template.spec.containers[0].envFrom[0].secretRef.name, 'ours');
});

test('values with which the pods could not work together are refused', withHelm, () => {
  const refusal = (values: object): string => helm('template', 'shop', chart, '-f', fileOf(values)).stderr;
  const { settings: chosen, secrets } = given;
  const { PUBLIC_URL, S3_BUCKET } = chosen;
  assert.match(refusal({ settings: { S3_BUCKET }, secrets }), /PUBLIC_URL is required/);
  assert.match(refusal({ settings: { PUBLIC_URL }, secrets }), /S3_BUCKET, or files.existingClaim/);
  assert.equal(refusal({ settings: { PUBLIC_URL }, secrets, files: { existingClaim: 'files' } }), '');
  assert.match(refusal({ settings: chosen }), /existingSecret, or secrets.DATABASE_URL/);
  const { PATCHBAY_METRICS_TOKEN: _, ...withoutToken } = secrets;
  assert.match(
    refusal({ settings: chosen, secrets: withoutToken, metrics: { enabled: true } }),
    /need secrets.PATCHBAY_METRICS_TOKEN/,
  );
  assert.match(refusal({ settings: { ...chosen, SMTP_URL: 'smtp://x' }, secrets }), /SMTP_URL is a secret/);
  assert.match(refusal({ settings: { ...chosen, PORT: 1 }, secrets }), /PORT is set by the chart/);
});
