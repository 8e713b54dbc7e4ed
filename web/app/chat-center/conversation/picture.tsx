import { Anchor, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFile } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { fileName, webAddress } from '../../../widget/text.js';
import { useTexts } from '../../shared/language.tsx';
import { usePictureSource } from '../picture-source.ts';
import classes from './conversation.module.css';
import { conversationTexts } from './texts.ts';

const Enlarged = lazy(() => import('./enlarged.tsx'));

/** A picture in a frame of its final size, so that loading moves nothing. A click enlarges it. */
export function Picture({ url, caption }: { url: string; caption: string | null }) {
  const [opened, { open, close }] = useDisclosure();
  const [isBroken, setIsBroken] = useState(false);
  const t = useTexts(conversationTexts);
  const address = webAddress(url);
  const { src, isBroken: isMissing } = usePictureSource(address);
  if (!address || isBroken || isMissing) {
    return (
      <>
        <Text size="sm">{t.noImage}</Text>
        <Attached url={url} />
      </>
    );
  }
  const alt = caption || t.image;
  return (
    <>
      <button type="button" className={classes.picture} onClick={open} aria-label={`${t.enlarge}: ${alt}`}>
        <img
          src={src}
          alt={alt}
          loading="lazy"
          referrerPolicy="no-referrer"
          // Without a source, loading cannot fail.
          onError={() => src !== undefined && setIsBroken(true)}
        />
      </button>
      <Suspense>{opened && <Enlarged address={src ?? ''} alt={alt} onClose={close} />}</Suspense>
    </>
  );
}

/** A document as a link with its name. */
export function Attached({ url }: { url: string }) {
  const t = useTexts(conversationTexts);
  const address = webAddress(url);
  if (!address) return <Text size="sm">{t.document}</Text>;
  return (
    <Anchor
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      c="inherit"
      underline="always"
      size="sm"
      className={classes.file}
    >
      <IconFile size={18} aria-hidden />
      {fileName(address)}
    </Anchor>
  );
}
