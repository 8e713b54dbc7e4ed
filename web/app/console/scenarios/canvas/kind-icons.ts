import {
  IconArrowRight,
  IconArrowsSplit2,
  IconClock,
  IconFlag,
  IconHeadset,
  IconHelpCircle,
  IconMessage,
  IconPencil,
  IconTicket,
  IconWorldUpload,
} from '@tabler/icons-react';

export const kindIcons = {
  message: IconMessage,
  ask: IconHelpCircle,
  branch: IconArrowsSplit2,
  set: IconPencil,
  wait: IconClock,
  request: IconWorldUpload,
  promocode: IconTicket,
  operator: IconHeadset,
  goto: IconArrowRight,
  end: IconFlag,
} as const;
