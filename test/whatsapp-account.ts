/** An account of Whatsapp, as its channel's settings and its simulated provider name it. */
export const whatsappAccount = {
  phone_number_id: '106540352242922',
  waba_id: '102290129340398',
  access_token: 'EAAG-token',
  app_secret: 'app-secret',
  verify_token: 'verify-me',
};
