-- The administrator who approved. Null in codes of earlier versions, which end within ten minutes.
alter table oauth_codes add column approved_by uuid;
