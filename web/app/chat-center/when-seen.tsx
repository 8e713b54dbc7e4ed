import { useEffect, useEffectEvent, useRef } from 'react';

/** A marker after the loaded items: it reports when the reader comes near. */
export function WhenSeen({ onSeen, margin = '400px' }: { onSeen(): void; margin?: string }) {
  const mark = useRef<HTMLDivElement>(null);
  const seen = useEffectEvent(onSeen);
  useEffect(() => {
    const { current } = mark;
    if (!current) return;
    const root = current.closest('[data-scrolls]');
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen(), {
      root,
      rootMargin: margin,
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [margin]);
  return <div ref={mark} style={{ height: 1 }} />;
}
