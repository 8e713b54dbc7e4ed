import {
  type Icon,
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandOkRu,
  IconBrandTelegram,
  IconBrandVk,
  IconBrandWhatsapp,
  IconMail,
  IconMessageCircle,
  IconPhone,
  IconWorld,
} from '@tabler/icons-react';

const icons: Partial<Record<string, Icon>> = {
  Telegram: IconBrandTelegram,
  Telegram_Personal: IconBrandTelegram,
  Facebook: IconBrandFacebook,
  Instagram: IconBrandInstagram,
  Viber: IconPhone,
  Whatsapp: IconBrandWhatsapp,
  Vkontakte: IconBrandVk,
  Odnoklassniki: IconBrandOkRu,
  Widget: IconWorld,
  Email: IconMail,
};

/** Shown beside the platform’s name, never instead of it. */
export function PlatformIcon({ platform, size = 14 }: { platform: string; size?: number }) {
  const Icon = icons[platform] ?? IconMessageCircle;
  return <Icon size={size} aria-hidden style={{ flexShrink: 0 }} />;
}
