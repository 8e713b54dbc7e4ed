import type { Sketch as Drawn, SketchPart } from '../../../../src/channels/contract/guide.ts';
import { sketchText } from '../../../../src/channels/contract/sketch-text.ts';
import { useLanguage, useTexts, useWords } from '../../shared/language.tsx';
import { guideTexts } from './guide-texts.ts';
import styles from './sketch.module.css';

/** Our drawing of a provider's page. What the person needs there is framed. */
export function Sketch({ sketch }: { sketch: Drawn }) {
  const t = useTexts(guideTexts);
  const { language } = useLanguage();
  const inWords = useWords();
  const { window, menu = [], parts } = sketch;
  return (
    <div className={styles.page} role="img" aria-label={t.sketch(sketchText(sketch, language))}>
      <div className={styles.bar}>
        <span className={styles.dot} />
        <span className={styles.dot} />
        <span className={styles.dot} />
        <span>{window}</span>
      </div>
      <div className={styles.parts}>
        {menu.length > 0 && (
          <div className={styles.menu}>
            {menu.map((item) => (
              <span key={item.en}>{inWords(item)}</span>
            ))}
          </div>
        )}
        {parts.map((part) => (
          <Part key={JSON.stringify(part)} part={part} />
        ))}
      </div>
    </div>
  );
}

function Part({ part }: { part: SketchPart }) {
  const inWords = useWords();
  const framed = part.marked ? styles.marked : '';
  if ('field' in part) {
    return (
      <div>
        {inWords(part.field)} <Here part={part} />
        <div className={`${styles.value} ${framed}`}>{part.value}</div>
      </div>
    );
  }
  if ('button' in part) return <div className={`${styles.button} ${framed}`}>{inWords(part.button)}</div>;
  if ('tick' in part) return <div className={framed}>☑ {inWords(part.tick)}</div>;
  if ('says' in part) {
    return <div className={`${styles.said} ${styles[part.by]} ${framed}`}>{inWords(part.says)}</div>;
  }
  return (
    <div>
      {inWords(part.code)}
      <div className={styles.code}>
        {pattern.map((isDark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pattern never changes.
          <span key={index} className={isDark ? styles.dark : ''} />
        ))}
      </div>
    </div>
  );
}

function Here({ part }: { part: SketchPart }) {
  const t = useTexts(guideTexts);
  return part.marked ? <span className={styles.here}>← {t.needed}</span> : null;
}

/** It looks like a code, and is none. */
const pattern = Array.from('1110111101010111101110001000111011110101011110111', (bit) => bit === '1');
