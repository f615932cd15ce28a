/** What answers are made of, for those in which nothing is said twice. */
export const typicalText = [
  '{"areas_autocomplete_list":[{"id_external":"","name":"Room ',
  '[{"id_external":"","name":"","opened_at":null,"cycle":null,"date_created":"202',
  'T00:00:00.000Z","data_services":[{"id":"","code":"","label":"","status":"active","start":"202',
  'T00:00:00.000Z","end":"202T00:00:00.000Z"}],"data_general":[]},',
  '{"id":1,"id_external":"","name":"","status":"active","date_created":"202T00:00:00.000Z","date_updated":"202',
  'T00:00:00.000Z","ssid_public":"","address":{"street":"","postal_code":"","city":"","region":null,"country":"FR"},',
  '"subscription_url":"https://","type":"hotel","subscribed":false,"devices":[{"id":"","type":"tv","model":"",',
  '"serial":"","status":"online","area_id_external":""}],"areas_count":,"areas_autocomplete_list_count":',
].join('')
