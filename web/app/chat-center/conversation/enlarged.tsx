import { Modal } from '@mantine/core';
import { useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import classes from './conversation.module.css';

export default function Enlarged({
  address,
  alt,
  onClose,
}: {
  address: string;
  alt: string;
  onClose(): void;
}) {
  const { close } = useTexts(common);
  return (
    <Modal
      opened
      onClose={onClose}
      size="auto"
      centered
      title={alt}
      closeButtonProps={{ 'aria-label': close }}
    >
      <img src={address} alt={alt} referrerPolicy="no-referrer" className={classes.enlarged} />
    </Modal>
  );
}
