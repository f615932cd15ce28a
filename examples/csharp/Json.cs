using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading.Tasks;

/// <summary>Reads and writes JSON with what every .NET has. With .NET 6 or newer, System.Text.Json is shorter.</summary>
static class Json
{
    public static string Write<T>(T value)
    {
        using (var stream = new MemoryStream())
        {
            new DataContractJsonSerializer(typeof(T)).WriteObject(stream, value);
            return Encoding.UTF8.GetString(stream.ToArray());
        }
    }

    public static T Parse<T>(byte[] json)
    {
        using (var stream = new MemoryStream(json)) return (T)new DataContractJsonSerializer(typeof(T)).ReadObject(stream);
    }

    public static async Task<T> Read<T>(HttpResponseMessage response)
    {
        return Parse<T>(await response.Content.ReadAsByteArrayAsync());
    }
}

// The members that the examples use, named as in the API. Others are ignored.

[DataContract]
sealed class ProblemBody
{
    [DataMember] public string code;
    [DataMember] public string detail;
    [DataMember] public string request_id;
}

[DataContract]
sealed class Area
{
    [DataMember] public string id_external;
    [DataMember] public string cycle;
}

[DataContract]
sealed class Opened
{
    [DataMember] public Area area;
}

[DataContract]
sealed class LegacyBody
{
    [DataMember] public string value;
}

[DataContract]
sealed class NewService
{
    [DataMember] public string code;
    [DataMember] public string label;
    [DataMember] public string end;
}

[DataContract]
sealed class Extension
{
    [DataMember] public string end;
}

[DataContract]
sealed class Service
{
    [DataMember] public string id;
    [DataMember] public string label;
    [DataMember] public string end;
}

[DataContract]
sealed class Services
{
    [DataMember] public List<Service> data_services;
}

[DataContract]
sealed class Changed
{
    [DataMember] public Services services;
}

[DataContract]
sealed class Event
{
    [DataMember] public string type;
    [DataMember] public string area;
}
