pragma journal_mode = wal;
create table partner (id integer primary key, name text not null, token_hash text not null unique);
create table facility (
  id integer primary key, id_external text not null unique, name text not null, status text not null,
  type text not null, ssid_public text, subscription_url text, subscribed integer not null, address text,
  devices text not null default '[]', date_created text not null, date_updated text not null
);
create table grant_to (
  partner_id integer not null references partner, facility_id integer not null references facility,
  readable text not null, writable text not null, primary key (partner_id, facility_id)
) without rowid;
create table area (
  id integer primary key, id_external text not null unique, facility_id integer not null references facility,
  name text not null, opened_at text, cycle text, data_general text not null default '[]',
  date_created text not null, date_updated text not null
);
create index area_facility on area (facility_id);
create table list (facility_id integer primary key references facility, entries text not null);
create table subscription (
  id text primary key, area_id integer not null references area, code text not null, label text,
  status text not null, start text, "end" text
);
create index subscription_area on subscription (area_id);
