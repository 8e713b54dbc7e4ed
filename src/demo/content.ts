/** The external id of the profile, and the user of the Widget, on the demo page. */
export const demoUser = 'demo';

export const welcome =
  'Hello! 👋 I am a real chat, and this came through the real queue. Run the curl line from your terminal and watch what happens here.';

export const redirectUri = 'https://crm.example/callback';

/** The phone numbers are reserved for fiction. */
export const clients = [
  {
    externalId: 'anna',
    name: 'Anna Lind',
    phone: '+12025550143',
    text: 'Good morning! Has my parcel left yet?',
    tags: ['regular'],
    attrs: { city: 'Malmö', favourite: 'Green tea' },
  },
  {
    externalId: 'boris',
    name: 'Boris Novak',
    phone: '+12025550168',
    text: 'Can I still change the size of my order?',
    tags: ['new'],
    attrs: { city: 'Brno' },
  },
  {
    externalId: 'chiara',
    name: 'Chiara Rossi',
    phone: '+12025550192',
    text: 'Thank you, everything arrived. It is lovely!',
    tags: ['regular', 'newsletter'],
    attrs: { city: 'Turin', favourite: 'Espresso' },
  },
];
